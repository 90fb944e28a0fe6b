import { useLabels } from '../../../../shared/labels/labels-context.ts';
import styles from './map-header.late.module.css';

/** The map as path data in a view box of `width` by `height`. */
export interface CorridorMapData {
  width: number;
  height: number;
  spacing: number;
  dots: string;
  corridors: readonly string[];
  places: string;
  placeCount: number;
}

export function CorridorMap({ map }: { map: CorridorMapData }) {
  const labels = useLabels();
  const { width, height, spacing, dots, corridors, places, placeCount } = map;
  const viewBox = `0 0 ${width} ${height}`;
  const label = placeCount > 1 ? labels.count('worldMapBetween', placeCount) : labels.text('worldMap');
  return (
    <div className={styles.map} role="img" aria-label={label}>
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
