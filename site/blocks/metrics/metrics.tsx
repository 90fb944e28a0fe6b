import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import type { metrics } from './metrics.block.ts';
import styles from './metrics.module.css';

/** The longest amount that fits into its column in large letters, in characters. */
const MAX_SHORT = 7;

/** Plain spaces replace no-break spaces, because a long amount could otherwise break only inside a word. */
function Figures({ usd }: Pick<BlockData<typeof metrics>, 'usd'>) {
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

export default function Metrics({ data }: BlockProps<BlockData<typeof metrics>>) {
  const labels = useLabels();
  const { usd, qualities } = data;
  return (
    <ServedElement as="section" source={data} className={`el-band ${styles.root}`}>
      <div className="el-frame">
        <h2 className="el-visually-hidden">{labels.text('inFigures')}</h2>
        {usd.length > 0 ? <Figures usd={usd} /> : null}
        {qualities.length > 0 ? (
          <ul className={styles.qualities}>
            {qualities.map((quality, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order, and qualities may repeat
              <li key={index} className={styles.quality}>
                <Icon name="check" className={styles.check} />
                <div>
                  {contentText(quality.title, styles.title, 'h3')}
                  {contentText(quality.text, styles.text)}
                </div>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </ServedElement>
  );
}
