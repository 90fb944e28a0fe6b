import type { Direction, DirectionsBlock as Directions } from '../content/landing-blocks.ts';
import { useLabels } from '../labels/labels-context.ts';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './directions-block.module.css';
import { SectionHeading } from './section-heading.tsx';

function DirectionCard({ direction }: { direction: Direction }) {
  return (
    <li className={styles.card}>
      {direction.icon ? (
        <img src={direction.icon} alt="" width={40} height={40} loading="lazy" className={styles.icon} />
      ) : null}
      <h3 className={styles.title} dir="auto">
        {direction.href ? (
          <Link href={direction.href} className={styles.link}>
            {direction.title}
          </Link>
        ) : (
          direction.title
        )}
      </h3>
      {direction.text ? (
        <p className={styles.text} dir="auto">
          {direction.text}
        </p>
      ) : null}
      {direction.href ? <Icon name="arrow" className={styles.arrow} /> : null}
    </li>
  );
}

/** The lines of business. Each links to its own page. */
export function DirectionsBlock({ directions }: { directions: Directions }) {
  const labels = useLabels();
  const { title, text, items } = directions;
  if (items.length === 0 && !title) return null;
  return (
    <ServedElement as="section" source={directions} className="el-section" aria-labelledby="directions-title">
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading id="directions-title" title={title ?? labels.text('directions')} text={text} />
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
