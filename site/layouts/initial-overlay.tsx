import { useEffect } from 'react';
import { BrandMark } from '../brand/brand-mark.tsx';
import styles from './initial-overlay.module.css';

/**
 * Covers the first page of a session for 360 ms, if the early script has set `data-visit="first"`. The page
 * below is painted and clickable. Reduced motion turns the overlay off.
 */
export function InitialOverlay({ siteName }: { siteName: string }) {
  // Show no overlay when a layout is mounted again.
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
