import { useLabels } from '../labels/labels-context.ts';
import type { HomeData } from '../payload/payload.ts';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './payments-block.module.css';
import { SectionHeading } from './section-heading.tsx';

/** The methods of payment as a grid of logos. */
export function PaymentsBlock({ payments }: { payments: NonNullable<HomeData['payments']> }) {
  const labels = useLabels();
  const images = payments.images.filter(image => image.icon !== null || image.title !== null);
  if (images.length === 0 && !payments.title && !payments.text) return null;
  return (
    <ServedElement as="section" source={payments} className="el-section" aria-labelledby="payments-title">
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading
          id="payments-title"
          title={payments.title ?? labels.text('waysToPay')}
          text={payments.text}
          link={payments.link}
        />
        {images.length > 0 ? (
          <ul className={styles.wall}>
            {images.map((image, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order, and marks may repeat
              <li key={index} className={styles.cell}>
                {image.icon ? (
                  <img
                    src={image.icon}
                    alt={image.title ? '' : image.alt}
                    height={32}
                    loading="lazy"
                    className={styles.icon}
                  />
                ) : null}
                {image.title ? <span className={styles.name}>{image.title}</span> : null}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </ServedElement>
  );
}
