import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Link } from '../../../shared/ui/link.tsx';
import styles from './feed-link.module.css';

/** The link to a feed. Its icon is not in `Icon`, whose paths every page loads. */
export function FeedLink({ feed }: { feed: string | null }) {
  const labels = useLabels();
  if (feed === null) return null;
  return (
    <Link href={feed} className={styles.root}>
      <svg className={styles.icon} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <path d="M4 4a12 12 0 0 1 12 12M4 9.5a6.5 6.5 0 0 1 6.5 6.5M4.8 15.2h.01" />
      </svg>
      {labels.text('feed')}
    </Link>
  );
}
