import { useLabels } from '../labels/labels-context.ts';
import type { HomeData } from '../payload/payload.ts';
import { Icon } from '../ui/icon.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './metrics-block.module.css';

/** Characters of the longest amount that fits into its column in large letters. */
const MAX_SHORT = 7;

/**
 * The amounts, all in letters of one size. An element of its own, so that a browser that keeps the server's markup creates no formats. Formats of
 * amounts have no-break spaces, with which a long amount could break inside of a word alone.
 */
function Figures({ usd }: Pick<NonNullable<HomeData['metrics']>, 'usd'>) {
  const labels = useLabels();
  const amounts = usd.map(({ value }) =>
    labels.amount(value).replaceAll('\u00a0', ' ').replaceAll('\u202f', ' '),
  );
  const areLong = amounts.some(({ length }) => length > MAX_SHORT);
  return (
    <dl className={areLong ? `${styles.figures} ${styles.long}` : styles.figures}>
      {usd.map((metric, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order, and figures may repeat
        <div key={index} className={styles.figure}>
          <dt className={styles.label}>{metric.label}</dt>
          <dd className={styles.value}>{amounts[index]}</dd>
          {metric.note ? <dd className={styles.note}>{metric.note}</dd> : null}
        </div>
      ))}
    </dl>
  );
}

/** Figures and qualities on the page's one dark band. */
export function MetricsBlock({ metrics }: { metrics: NonNullable<HomeData['metrics']> }) {
  const labels = useLabels();
  const qualities = metrics.qualities.filter(quality => quality.title || quality.text);
  if (metrics.usd.length === 0 && qualities.length === 0) return null;
  return (
    <ServedElement
      as="section"
      source={metrics}
      className={`el-band ${styles.root}`}
      aria-labelledby="metrics-title"
    >
      <div className="el-frame">
        <h2 id="metrics-title" className="el-visually-hidden">
          {labels.text('inFigures')}
        </h2>
        {metrics.usd.length > 0 ? <Figures usd={metrics.usd} /> : null}
        {qualities.length > 0 ? (
          <ul className={styles.qualities}>
            {qualities.map((quality, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order, and qualities may repeat
              <li key={index} className={styles.quality}>
                <Icon name="check" className={styles.check} />
                <div>
                  {quality.title ? (
                    <h3 className={styles.title} dir="auto">
                      {quality.title}
                    </h3>
                  ) : null}
                  {quality.text ? (
                    <p className={styles.text} dir="auto">
                      {quality.text}
                    </p>
                  ) : null}
                </div>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </ServedElement>
  );
}
