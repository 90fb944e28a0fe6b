import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { SectionHeading } from '../../parts/section-heading.tsx';
import type { directions } from './directions.block.ts';
import styles from './directions.module.css';

function DirectionCard({ direction }: { direction: BlockData<typeof directions>['items'][number] }) {
  return (
    <li className={styles.card}>
      {direction.icon ? (
        <img src={direction.icon} alt="" width={40} height={40} loading="lazy" className={styles.icon} />
      ) : null}
      <h3 className={styles.title} dir="auto">
        {direction.href ? (
          <Link href={direction.href} className={`el-covering ${styles.link}`}>
            {direction.title}
          </Link>
        ) : (
          direction.title
        )}
      </h3>
      {contentText(direction.text, styles.text)}
      {direction.href ? <Icon name="arrow" className={styles.arrow} /> : null}
    </li>
  );
}

export default function Directions({ data, id = 'directions' }: BlockProps<BlockData<typeof directions>>) {
  const labels = useLabels();
  const { title, text, items } = data;
  return (
    <ServedElement as="section" source={data} className="el-section el-bleed" aria-labelledby={`${id}-title`}>
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading id={`${id}-title`} title={title ?? labels.text('directions')} text={text} />
        {items.length > 0 ? (
          <ul className={styles.cards}>
            {items.map(direction => (
              <DirectionCard key={`${direction.href} ${direction.title}`} direction={direction} />
            ))}
          </ul>
        ) : null}
      </div>
    </ServedElement>
  );
}
