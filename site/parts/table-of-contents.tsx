import type { RichHeading } from '../../shared/content/rich-text.ts';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { Icon } from '../../shared/ui/icon.tsx';
import styles from './table-of-contents.module.css';

/** A list of headings: folded above the text; on wide screens open beside it, by the styles. */
export function TableOfContents({ headings }: { headings: readonly RichHeading[] }) {
  const labels = useLabels();
  return (
    <nav aria-label={labels.text('onThisPage')} className={styles.root} data-contents="">
      <p className={styles.title}>{labels.text('onThisPage')}</p>
      <details className={styles.details}>
        <summary className={styles.summary}>
          {labels.text('onThisPage')}
          <Icon name="chevron" className={styles.chevron} />
        </summary>
        <ol className={styles.list}>
          {headings.map(heading => (
            <li key={heading.id} className={heading.level === 3 ? styles.deeper : undefined}>
              <a href={`#${heading.id}`} className={styles.link}>
                {heading.text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}
