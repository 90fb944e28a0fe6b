import styles from './reading-progress.module.css';

/** How far the article has been read: drawn by the scroll position itself, where the browser can. */
export function ReadingProgress() {
  return <div className={`${styles.root} el-no-print`} aria-hidden="true" />;
}
