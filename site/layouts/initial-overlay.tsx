import { useEffect } from 'react';
import styles from './initial-overlay.module.css';

/**
 * Draws a line below the header of a session's first page, if the early script has set `data-visit="first"`.
 * It covers no text. Reduced motion turns it off, and pages of an e-mail's link have no script.
 */
export function InitialOverlay() {
  // Draw no line when a layout is mounted again.
  useEffect(
    () => () => {
      delete document.documentElement.dataset.visit;
    },
    [],
  );
  return <div className={`${styles.root} el-no-print`} aria-hidden="true" />;
}
