import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { ButtonLink } from '../../../shared/ui/button.tsx';
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
          {link ? (
            <ButtonLink href={link.href} arrow>
              {link.title}
            </ButtonLink>
          ) : null}
        </div>
        {steps.length > 0 ? (
          <ol className={styles.steps}>
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its place
              <li key={index} className={styles.step}>
                <div>
                  {step.title ? (
                    <h3 className={styles.title} dir="auto">
                      {step.title}
                    </h3>
                  ) : null}
                  {step.text ? (
                    <p className={styles.text} dir="auto">
                      {step.text}
                    </p>
                  ) : null}
                </div>
              </li>
            ))}
          </ol>
        ) : null}
      </div>
    </ServedElement>
  );
}
