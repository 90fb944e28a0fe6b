import type { HeaderViewProps } from '../header-data.ts';
import { CorridorMap } from './corridor-map.tsx';
import styles from './map-header.late.module.css';

export { stylesheet } from './map-header.late.module.css';

/** The texts beside a map of the world with the countries of the content. */
export default function MapHeader({ data: { map }, texts }: HeaderViewProps) {
  return (
    <div className={`el-frame ${styles.frame}`}>
      {texts}
      {map ? <CorridorMap map={map} /> : null}
    </div>
  );
}
