import type { ReactNode } from 'react';
import type { ContentLink } from '../../shared/content/links.ts';
import { linkButton } from '../../shared/ui/button.tsx';
import { contentText } from '../../shared/ui/content-text.tsx';
import styles from './section-heading.module.css';

interface SectionHeadingProps {
  id: string;
  title: ReactNode;
  text?: string | null;
  picture?: string | null;
  link?: ContentLink | null;
}

/** The heading of a section. Few sections refer to it by `aria-labelledby`: many landmarks would not help. */
export function SectionHeading({ id, title, text, picture, link }: SectionHeadingProps) {
  return (
    <div className={styles.root}>
      {picture ? (
        <img src={picture} alt="" loading="lazy" className={`el-no-print ${styles.picture}`} />
      ) : null}
      <h2 id={id} className={styles.title} dir="auto">
        {title}
      </h2>
      {contentText(text, styles.text)}
      {linkButton(link, 'text')}
    </div>
  );
}
