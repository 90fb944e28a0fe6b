import type { ReactNode } from 'react';
import styles from './accordion.module.css';
import { Icon } from './icon.tsx';

interface AccordionItem {
  title: string;
  content: ReactNode;
}

/** Questions that open independently and without JavaScript. */
export function Accordion({ items }: { items: readonly AccordionItem[] }) {
  return (
    <div className={styles.root}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order, and titles may repeat
        <details key={index} className={styles.item} data-persistent="">
          <summary className={styles.summary}>
            <span dir="auto">{item.title}</span>
            <Icon name="plus" className={styles.mark} />
          </summary>
          <div className={styles.content}>{item.content}</div>
        </details>
      ))}
    </div>
  );
}
