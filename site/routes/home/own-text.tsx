import type { RichText as RichTextTree } from '../../../shared/content/rich-text.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { RichText } from '../../../shared/ui/rich-text/rich-text.tsx';
import styles from './own-text.module.css';

interface OwnTextProps {
  id: string;
  /** The number of the block among the page's custom blocks, from 1. */
  number: number;
  content: RichTextTree;
}

/** Rich text that an editor has placed between the known blocks. */
export function OwnText({ id, number, content }: OwnTextProps) {
  const labels = useLabels();
  if (content.length === 0) return null;
  return (
    <section id={id} className="el-section">
      <div className="el-frame">
        <RichText
          content={content}
          {...(number > 1 ? { partOf: labels.text('customText', { number }) } : {})}
          className={styles.root}
        />
      </div>
    </section>
  );
}
