import type { Entry } from '../../shared/content/entries.ts';
import styles from './facts.module.css';

export function Facts({ facts }: Pick<Entry, 'facts'>) {
  return (
    <dl className={styles.root}>
      {facts.map(({ title, text }) => (
        <div key={title} className={styles.fact}>
          <dt dir="auto">{title}</dt>
          <dd className={styles.value} dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
