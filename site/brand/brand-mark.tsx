import styles from './brand-mark.module.css';

/** The logo: two places and the way between them. */
export function BrandMark({ name }: { name: string }) {
  return (
    <span className={styles.root}>
      <svg className={styles.mark} viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="currentColor" />
        <path
          className={styles.way}
          d="M8.5 21C9.5 9 22.5 9 23.5 21"
          fill="none"
          strokeWidth="2.6"
          strokeLinecap="round"
        />
        <circle className={styles.place} cx="8.5" cy="22" r="3" />
        <circle className={styles.place} cx="23.5" cy="22" r="3" />
      </svg>
      <span className={styles.name}>{name}</span>
    </span>
  );
}
