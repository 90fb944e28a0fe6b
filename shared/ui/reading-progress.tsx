import styles from './reading-progress.module.css';

/** A scroll-driven CSS animation draws it where the browser supports one. */
export function ReadingProgress() {
  return <div className={`${styles.root} el-no-print`} aria-hidden="true" />;
}
