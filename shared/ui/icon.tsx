import styles from './icon.module.css';

const PATHS = {
  arrow: 'M4 10h12M11 5l5 5-5 5',
  'arrow-out': 'M6 14 14 6M7 6h7v7',
  chevron: 'm5 8 5 5 5-5',
  menu: 'M3 6.5h14M3 13.5h14',
  search: 'M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM13 13l4 4',
  close: 'm5 5 10 10M15 5 5 15',
  check: 'm4 10.5 4 4 8-9',
  plus: 'M10 4v12M4 10h12',
  sun: 'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M16 4l-1.4 1.4M5.4 14.6 4 16',
  moon: 'M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3Z',
  system: 'M3 4h14v9.5H3zM7 17h6',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon. Stroke and fill are in the stylesheet: about sixty icons would repeat them. */
export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
  const mirrored = name === 'arrow' || name === 'arrow-out';
  const classes = [styles.root, mirrored && styles.mirrored, className].filter(Boolean).join(' ');
  return (
    <svg className={classes} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
