import type { RichHeading } from '../../shared/content/rich-text.ts';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { Icon } from '../../shared/ui/icon.tsx';
import styles from './table-of-contents.module.css';

/** A list of headings: folded above the text; on wide screens open beside it, by the styles. */
export function TableOfContents({ headings }: { headings: readonly RichHeading[] }) {
  const title = useLabels().text('onThisPage');
  return (
    <nav aria-label={title} className={styles.root}>
      <p className={styles.title}>{title}</p>
      <details className={styles.details}>
        <summary className={styles.summary}>
          {title}
          <Icon name="chevron" className={styles.chevron} />
        </summary>
        <ol className={styles.list}>
          {headings.map(heading => (
            <li key={heading.id} data-level={heading.level}>
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
