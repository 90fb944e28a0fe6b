import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { linkButton } from '../../../shared/ui/button.tsx';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { SectionHeading } from '../../parts/section-heading.tsx';
import type { earnMore } from './earn-more.block.ts';
import styles from './earn-more.module.css';

export default function EarnMore({ data, id = 'earn-more' }: BlockProps<BlockData<typeof earnMore>>) {
  const labels = useLabels();
  const { title, text, picture, steps, link } = data;
  return (
    <ServedElement as="section" source={data} className="el-section">
      <div className={`el-frame ${styles.root}`}>
        <div className={styles.intro}>
          <SectionHeading
            id={`${id}-title`}
            title={title ?? labels.text('earnMore')}
            text={text}
            picture={picture}
          />
          {linkButton(link)}
        </div>
        {steps.length > 0 ? (
          <ol className={styles.steps}>
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its place
              <li key={index} className={styles.step}>
                <div>
                  {contentText(step.title, styles.title, 'h3')}
                  {contentText(step.text, styles.text)}
                </div>
              </li>
            ))}
          </ol>
        ) : null}
      </div>
    </ServedElement>
  );
}
