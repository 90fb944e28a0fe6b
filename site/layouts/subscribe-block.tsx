import { useLabels } from '../../shared/labels/labels-context.ts';
import { SubscribeForm } from '../parts/forms/subscribe-form.tsx';
import styles from './subscribe-block.module.css';

interface SubscribeBlockProps {
  siteName: string;
  isLine?: boolean;
}

export function SubscribeBlock({ siteName, isLine }: SubscribeBlockProps) {
  const labels = useLabels();
  return (
    <section
      id="subscribe"
      className={`el-band el-no-print ${styles.root} ${isLine ? styles.line : ''}`}
      aria-labelledby="subscribe-title"
    >
      <div className={`el-frame ${styles.frame}`}>
        <div className={styles.intro}>
          <h2 id="subscribe-title" className={styles.title}>
            {labels.text('newsByEmail')}
          </h2>
          <p className={styles.text}>{labels.text('newsOf', { site: siteName })}</p>
        </div>
        <div className={styles.ways}>
          <SubscribeForm labelledBy="subscribe-title" />
        </div>
      </div>
    </section>
  );
}
