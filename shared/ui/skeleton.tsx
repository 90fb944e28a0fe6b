import styles from './skeleton.module.css';

/** Grey lines in the place of a text that is on its way. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.root} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
        <span key={index} className={styles.line} />
      ))}
    </div>
  );
}
