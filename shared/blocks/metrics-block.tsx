import type { HomeData } from '../payload/payload.ts';
import { SITE_LOCALE } from '../site-constants.ts';
import { Icon } from '../ui/icon.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './metrics-block.module.css';

const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;

/** Creates the formats once, at the first use: this takes a phone 40 ms, and a browser that keeps the server's markup needs none. */
let formats: Record<'large' | 'whole' | 'exact', Intl.NumberFormat> | null = null;
function createFormats() {
  return {
    large: new Intl.NumberFormat(SITE_LOCALE, { ...dollars, notation: 'compact', maximumFractionDigits: 1 }),
    whole: new Intl.NumberFormat(SITE_LOCALE, { ...dollars, maximumFractionDigits: 0 }),
    exact: new Intl.NumberFormat(SITE_LOCALE, dollars),
  };
}

/** An amount. Amounts from 100,000 on are abbreviated; prices are not. */
function Usd({ value }: { value: number }): string {
  formats ??= createFormats();
  if (Math.abs(value) >= 100_000) return formats.large.format(value);
  return (Number.isInteger(value) ? formats.whole : formats.exact).format(value);
}

/** Figures and qualities on the page's one dark band. */
export function MetricsBlock({ metrics }: { metrics: NonNullable<HomeData['metrics']> }) {
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
          In figures
        </h2>
        {metrics.usd.length > 0 ? (
          <dl className={styles.figures}>
            {metrics.usd.map((metric, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order, and figures may repeat
              <div key={index} className={styles.figure}>
                <dt className={styles.label}>{metric.label}</dt>
                <dd className={styles.value}>
                  <Usd value={metric.value} />
                </dd>
                {metric.note ? <dd className={styles.note}>{metric.note}</dd> : null}
              </div>
            ))}
          </dl>
        ) : null}
        {qualities.length > 0 ? (
          <ul className={styles.qualities}>
            {qualities.map((quality, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={index} className={styles.quality}>
                <Icon name="check" className={styles.check} />
                <div>
                  {quality.title ? <h3 className={styles.title}>{quality.title}</h3> : null}
                  {quality.text ? <p className={styles.text}>{quality.text}</p> : null}
                </div>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </ServedElement>
  );
}
