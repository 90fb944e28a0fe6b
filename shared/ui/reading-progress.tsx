import styles from './reading-progress.module.css';

/** The reading progress, drawn by a scroll-driven CSS animation if the browser supports it. */
export function ReadingProgress() {
  return <div className={`${styles.root} el-no-print`} aria-hidden="true" />;
}
