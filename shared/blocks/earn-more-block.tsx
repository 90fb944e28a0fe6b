import type { EarnMoreBlock as EarnMore } from '../content/landing-blocks.ts';
import { useLabels } from '../labels/labels-context.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './earn-more-block.module.css';
import { SectionHeading } from './section-heading.tsx';

/** The partner programme as an ordered list of steps. */
export function EarnMoreBlock({ earnMore }: { earnMore: EarnMore }) {
  const labels = useLabels();
  const { title, text, steps, link } = earnMore;
  if (!title && !text && steps.length === 0) return null;
  return (
    <ServedElement as="section" source={earnMore} className="el-section" aria-labelledby="earn-more-title">
      <div className={`el-frame ${styles.root}`}>
        <div className={styles.intro}>
          <SectionHeading id="earn-more-title" title={title ?? labels.text('earnMore')} text={text} />
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
