import type { RichText as RichTextTree } from '../../../shared/content/rich-text.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { RichText } from '../../../shared/ui/rich-text/rich-text.tsx';
import styles from './own-text.module.css';

interface OwnTextProps {
  id: string;
  number: number;
  content: RichTextTree;
}

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
