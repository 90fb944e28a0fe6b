import { useEffect } from 'react';
import { Logo, type LogoProps } from '../parts/logo.tsx';
import styles from './initial-overlay.module.css';

/**
 * Covers the first page of a session for 360 ms, if the early script has set `data-visit="first"`. The page
 * below is painted and clickable. Reduced motion turns the overlay off.
 */
export function InitialOverlay(site: LogoProps) {
  // Show no overlay when a layout is mounted again.
  useEffect(
    () => () => {
      delete document.documentElement.dataset.visit;
    },
    [],
  );
  return (
    <div className={`${styles.root} el-band el-no-print`} aria-hidden="true">
      <Logo {...site} />
    </div>
  );
}
