import { useEffect } from 'react';
import { BrandMark } from '../brand/brand-mark.tsx';
import styles from './initial-overlay.module.css';

/**
 * Covers the first page of a session for 360 ms, if the early script has set `data-visit="first"`.
 * The page below is painted and can be clicked. Reduced motion turns it off.
 */
export function InitialOverlay({ siteName }: { siteName: string }) {
  // A layout that is mounted again shows no overlay.
  useEffect(
    () => () => {
      delete document.documentElement.dataset.visit;
    },
    [],
  );
  return (
    <div className={`${styles.root} el-band el-no-print`} aria-hidden="true">
      <BrandMark name={siteName} />
    </div>
  );
}
