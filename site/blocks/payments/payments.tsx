import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { SectionHeading } from '../../parts/section-heading.tsx';
import type { payments } from './payments.block.ts';
import styles from './payments.module.css';

export interface PaymentsData extends Omit<BlockData<typeof payments>, 'images'> {
  images: readonly { title: string | null; icon: string | null; alt: string }[];
}

export default function Payments({ data, id = 'payments' }: BlockProps<PaymentsData>) {
  const labels = useLabels();
  const { title, text, link, images } = data;
  return (
    <ServedElement as="section" source={data} className="el-section el-dense">
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading
          id={`${id}-title`}
          title={title ?? labels.text('waysToPay')}
          text={text}
          link={link}
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
