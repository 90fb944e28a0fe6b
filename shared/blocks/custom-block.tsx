import type { RichText as RichTextTree } from '../content/rich-text.ts';
import { RichText } from '../ui/rich-text.tsx';
import styles from './custom-block.module.css';

/** Rich text of the editor's own between the known blocks. */
export function CustomBlock({ id, content }: { id: string; content: RichTextTree }) {
  if (content.length === 0) return null;
  return (
    <section id={id} className="el-section">
      <div className="el-frame">
        <RichText content={content} className={styles.root} />
      </div>
    </section>
  );
}
