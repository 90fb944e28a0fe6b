import type { HeaderViewProps } from '../header-data.ts';
import { CorridorMap } from './corridor-map.tsx';
import styles, { stylesheet } from './map-header.late.module.css';

export { stylesheet };

/** The texts beside a map of the world with the countries of the content. */
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
