import { useLabels } from '../../../../shared/labels/labels-context.ts';
import type { CorridorMapData, HeaderViewProps } from '../header-data.ts';
import styles, { stylesheet } from './map-header.late.module.css';

export { stylesheet };

export default function MapHeader({ data: { map }, texts }: HeaderViewProps) {
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="late" />
      <div className={`el-frame ${styles.frame}`}>
        {texts}
        {map ? <CorridorMap map={map} /> : null}
      </div>
    </>
  );
}

function CorridorMap({ map }: { map: CorridorMapData }) {
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
