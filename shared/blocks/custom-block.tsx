import type { RichText as RichTextTree } from '../content/rich-text.ts';
import { useLabels } from '../labels/labels-context.ts';
import { RichText } from '../ui/rich-text.tsx';
import styles from './custom-block.module.css';

interface CustomBlockProps {
  id: string;
  /** The number of this block among the page's custom blocks, from 1. */
  number: number;
  content: RichTextTree;
}

/** Rich text that an editor places between the known blocks. */
export function CustomBlock({ id, number, content }: CustomBlockProps) {
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
