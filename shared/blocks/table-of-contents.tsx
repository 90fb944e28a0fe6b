import type { RichHeading } from '../content/rich-text.ts';
import { useDevice } from '../device/device-context.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './table-of-contents.module.css';

/** The table of contents: beside the text on wide screens, folded above it on phones. */
export function TableOfContents({ headings }: { headings: readonly RichHeading[] }) {
  const { isMobile } = useDevice();
  return (
    <nav aria-label="On this page" className={styles.root}>
      <details open={!isMobile} className={styles.details}>
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
