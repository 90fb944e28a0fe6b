import { Link } from '../../../shared/ui/link.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import type { ArchivePeriod } from './archive.ts';
import styles from './archive-months.module.css';

interface ArchiveMonthsProps {
  months: readonly ArchivePeriod[];
  /** The address of the current page, which the list marks if it is a month's. */
  current?: string;
}

export function ArchiveMonths({ months, current }: ArchiveMonthsProps) {
  return (
    <ServedElement as="ul" source={months} className={styles.root}>
      {months.map(({ title, href, count }) => (
        <li key={href}>
          <Link href={href} className={styles.link} aria-current={href === current ? 'page' : undefined}>
            <span className={styles.title}>{title}</span> <span className={styles.count}>{count}</span>
          </Link>
        </li>
      ))}
    </ServedElement>
  );
}
