import type { CorridorMap as CorridorMapData } from '../payload.ts';
import styles from './corridor-map.module.css';

/** The world in dots, and over it the corridors between the countries of the content. Drawn by the server; here are its parts. */
export function CorridorMap({ map }: { map: CorridorMapData }) {
  const { width, height, spacing, dots, corridors, places, placeCount } = map;
  const label =
    placeCount > 1 ? `Map of the world with corridors between ${placeCount} countries` : 'Map of the world';
  return (
    <svg className={styles.root} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <path className={styles.dots} d={dots} strokeDasharray={`0 ${spacing}`} />
      <g className={styles.corridors}>
        {corridors.map(corridor => (
          <path key={corridor} d={corridor} pathLength="1" />
        ))}
      </g>
      <g className={styles.payments}>
        {corridors.map(corridor => (
          <path key={corridor} d={corridor} pathLength="1" />
        ))}
      </g>
      <path className={styles.halos} d={places} />
      <path className={styles.places} d={places} />
    </svg>
  );
}
