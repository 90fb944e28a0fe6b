import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { TitledSection } from '../../parts/titled-section.tsx';
import type { steps } from './steps.block.ts';
import styles, { stylesheet } from './steps.late.module.css';

export { stylesheet };

export default function Steps({ data, id = 'steps' }: BlockProps<BlockData<typeof steps>>) {
  const { items, ...heading } = data;
  const Title = data.title ? 'h3' : 'h2';
  return (
    <TitledSection id={id} {...heading} stylesheet={stylesheet}>
      <ol className={styles.list}>
        {items.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its place
          <li key={index} className={styles.step}>
            {contentText(step.title, styles.title, Title)}
            {contentText(step.text, styles.text)}
          </li>
        ))}
      </ol>
    </TitledSection>
  );
}
