import { useLabels } from '../labels/labels-context.ts';
import type { CorridorMap as CorridorMapData } from '../payload/payload.ts';
import styles from './corridor-map.module.css';

/** A dotted map of the world with corridors between the countries of the content. The server draws both. */
export function CorridorMap({ map }: { map: CorridorMapData }) {
  const labels = useLabels();
  const { width, height, spacing, dots, corridors, places, placeCount } = map;
  const viewBox = `0 0 ${width} ${height}`;
  const label = placeCount > 1 ? labels.count('worldMapBetween', placeCount) : labels.text('worldMap');
  return (
    <div className={styles.root} role="img" aria-label={label}>
      <svg className={styles.world} viewBox={viewBox} aria-hidden="true">
        <path className={styles.dots} d={dots} strokeDasharray={`0 ${spacing}`} />
        <path className={styles.halos} d={places} />
        <path className={styles.places} d={places} />
      </svg>
      <div className={styles.curtain}>
        <svg className={styles.corridors} viewBox={viewBox} aria-hidden="true">
          {corridors.map(corridor => (
            <path key={corridor} d={corridor} />
          ))}
        </svg>
      </div>
    </div>
  );
}
