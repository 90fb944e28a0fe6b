import type { RichHeading } from '../content/rich-text.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './table-of-contents.module.css';

/** The table of contents: folded above the text, and beside it on wide screens, where the styles keep it open on every device. */
export function TableOfContents({ headings }: { headings: readonly RichHeading[] }) {
  return (
    <nav aria-label="On this page" className={styles.root}>
      <p className={styles.title}>On this page</p>
      <details className={styles.details}>
        <summary className={styles.summary}>
          On this page
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
