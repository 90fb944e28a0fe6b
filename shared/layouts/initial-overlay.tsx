import { useEffect } from 'react';
import { BrandMark } from './brand-mark.tsx';
import styles from './initial-overlay.module.css';

/**
 * The curtain of a session's very first page. It is shown only where the early script has found no visit in this session and
 * set `data-visit="first"` on the root element (no script, no curtain), lies over a page that is already
 * painted, takes no clicks, and is gone after 360 ms. Not on reduced motion.
 */
export function InitialOverlay({ siteName }: { siteName: string }) {
  // A layout that is mounted again must not raise it again.
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
