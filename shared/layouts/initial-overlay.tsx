import { useEffect } from 'react';
import { BrandMark } from './brand-mark.tsx';
import styles from './initial-overlay.module.css';

/**
 * The curtain over the first page of a session. The stylesheet shows it only if the early script has set
 * `data-visit="first"` on the root element. It covers a page that is already painted, lets clicks through, and is gone
 * after 360 ms. Reduced motion turns it off.
 */
export function InitialOverlay({ siteName }: { siteName: string }) {
  // Remove the mark on unmount, so that a layout that is mounted again shows no curtain.
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
