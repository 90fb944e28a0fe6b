import { useEffect } from 'react';
import { BrandMark } from './brand-mark.tsx';
import styles from './initial-overlay.module.css';

/**
 * Covers the first page of a session with the site's logo. The stylesheet shows the overlay only if the early script has
 * set `data-visit="first"` on the root element. The page below is painted already and can be clicked. The overlay
 * disappears after 360 ms. Reduced motion turns it off.
 */
export function InitialOverlay({ siteName }: { siteName: string }) {
  // Remove the mark on unmount, so that a layout that is mounted again shows no overlay.
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
