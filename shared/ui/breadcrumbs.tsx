import type { Breadcrumb } from '../content/links.ts';
import { useLabels } from '../labels/labels-context.ts';
import styles from './breadcrumbs.module.css';
import { Link } from './link.tsx';

export function Breadcrumbs({ items }: { items: readonly Breadcrumb[] }) {
  const labels = useLabels();
  if (items.length < 2) return null;
  return (
    <nav aria-label={labels.text('breadcrumb')} className={styles.root}>
      <ol className={styles.list}>
        {items.map(item => (
          <li key={`${item.href} ${item.title}`} className={styles.item}>
            {item.href === null ? (
              <span aria-current="page">{item.title}</span>
            ) : (
              <Link href={item.href} className={styles.link}>
                {item.title}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
