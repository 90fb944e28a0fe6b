import type { ReactNode } from 'react';
import type { RichHeading, RichText as RichTextTree } from '../../shared/content/rich-text.ts';
import { RichText } from '../../shared/ui/rich-text/rich-text.tsx';
import { TableOfContents } from './table-of-contents.tsx';
import styles from './text-frame.module.css';

interface TextFrameProps {
  intro: ReactNode;
  cover?: ReactNode;
  /** The headings of the text. From two on the page has a table of contents. */
  headings: readonly RichHeading[];
  body: RichTextTree;
  /** Shown between introduction and text. Facts stand in the margin of wide screens. */
  lead?: ReactNode;
  children: ReactNode;
}

/** The frame of a page with a text: contents, text, and a margin for what is wider than a text. */
export function TextFrame({ intro, cover, headings, body, lead, children }: TextFrameProps) {
  return (
    <article className={`el-frame ${styles.root}`}>
      <div className={styles.opening}>
        {intro}
        {cover}
      </div>
      {lead}
      {headings.length > 1 && <TableOfContents headings={headings} />}
      {body.length > 0 && <RichText content={body} />}
      {children}
    </article>
  );
}
