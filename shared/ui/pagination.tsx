import { useLabels } from '../labels/labels-context.ts';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';
import styles from './pagination.module.css';

interface PaginationProps {
  page: number;
  pageCount: number;
  hrefOf: (page: number) => string;
  label: string;
  /** The words for the neighbouring pages. The default words suit a list with the newest first. */
  steps?: readonly [previous: string, next: string];
}

function shownPages(page: number, pageCount: number): (number | null)[] {
  const shown = new Set([1, page - 1, page, page + 1, pageCount]);
  const pages = [...shown].filter(n => n >= 1 && n <= pageCount).sort((a, b) => a - b);
  return pages.flatMap((n, index) => {
    const previous = pages[index - 1];
    if (previous === undefined || n - previous === 1) return [n];
    return n - previous === 2 ? [n - 1, n] : [null, n];
  });
}

export function Pagination({ page, pageCount, hrefOf, label, steps }: PaginationProps) {
  const labels = useLabels();
  const [previous, next] = steps ?? [labels.text('newer'), labels.text('older')];
  if (pageCount < 2) return null;
  return (
    <nav aria-label={label} className={styles.root}>
      <ol className={styles.list}>
        {page > 1 ? (
          <li>
            <Link href={hrefOf(page - 1)} rel="prev" className={styles.step}>
              <Icon name="arrow" className={styles.back} />
              {previous}
            </Link>
          </li>
        ) : null}
        {shownPages(page, pageCount).map((shown, index) =>
          shown === null ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap is identified by its place
            <li key={`gap-${index}`} aria-hidden="true" className={styles.gap}>
              …
            </li>
          ) : (
            <li key={shown}>
              <Link
                href={hrefOf(shown)}
                className={styles.page}
                aria-label={labels.text('page', { page: shown })}
                {...(shown === page ? { 'aria-current': 'page' as const } : {})}
              >
                {shown}
              </Link>
            </li>
          ),
        )}
        {page < pageCount ? (
          <li>
            <Link href={hrefOf(page + 1)} rel="next" className={styles.step}>
              {next}
              <Icon name="arrow" />
            </Link>
          </li>
        ) : null}
      </ol>
    </nav>
  );
}
