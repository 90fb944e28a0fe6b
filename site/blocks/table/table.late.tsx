import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import type { RichText as RichTextTree } from '../../../shared/content/rich-text.ts';
import { RichText } from '../../../shared/ui/rich-text/rich-text.tsx';
import { TitledSection } from '../../parts/titled-section.tsx';
import type { table } from './table.block.ts';
import styles, { stylesheet } from './table.late.module.css';

export { stylesheet };

export interface TableData extends Omit<BlockData<typeof table>, 'rows'> {
  /** The table as a text, so that it looks and scrolls as tables in texts do. */
  content: RichTextTree;
}

export default function Table({ data, id = 'table' }: BlockProps<TableData>) {
  const { content, ...heading } = data;
  return (
    <TitledSection id={id} {...heading} stylesheet={stylesheet}>
      <RichText content={content} className={styles.table} />
    </TitledSection>
  );
}
