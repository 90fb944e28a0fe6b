import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
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
            {step.title ? (
              <Title className={styles.title} dir="auto">
                {step.title}
              </Title>
            ) : null}
            {step.text ? (
              <p className={styles.text} dir="auto">
                {step.text}
              </p>
            ) : null}
          </li>
        ))}
      </ol>
    </TitledSection>
  );
}
