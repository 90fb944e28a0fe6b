/** The pause between two readings of the metrics, in ms, and the number of points in an hour's plot. */
const EVERY_MS = 15_000;
const POINTS = 240;
/** Growth and quantiles cover this time, in ms. Within it, one reading is kept for each KEPT_EVERY_MS. */
const WINDOW_MS = 5 * 60_000;
const KEPT_EVERY_MS = 60_000;
const FRESH_MS = 1_000;

type Labels = Pick<RegExp, 'test'>;

/** Values by series, such as `site_page_answers_total{outcome="hit"}`. */
interface Reading {
  /** By `performance.now()`. */
  readonly at: number;
  readonly values: ReadonlyMap<string, number>;
}

/** A plot of the last hour. A value that is not a number leaves a gap. */
export interface Plot {
  readonly title: string;
  readonly of: (figures: Figures) => number;
  readonly written: (value: number) => string;
}

export class Figures {
  readonly #metrics: () => Promise<string>;
  readonly #plots: readonly Plot[];
  /** The last time that each counter has grown, in ms since the epoch. */
  readonly #grownAt = new Map<string, number>();
  /** Readings of the window, oldest first. At first, one stands for the start of the process. */
  readonly #kept: Reading[] = [{ at: 0, values: new Map() }];
  readonly #points: (readonly number[])[] = [];
  #drawn: Reading = { at: 0, values: new Map() };
  #now: Reading = { at: 0, values: new Map() };
  #timer: NodeJS.Timeout | undefined;

  /** @param metrics in the text format of Prometheus. */
  constructor(metrics: () => Promise<string>, plots: readonly Plot[]) {
    this.#metrics = metrics;
    this.#plots = plots;
  }

  begin(): void {
    this.#timer ??= setInterval(() => void this.addPoint(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async read(): Promise<void> {
    if (this.#now.at > 0 && performance.now() - this.#now.at < FRESH_MS) return;
    const values = valuesIn(await this.#metrics());
    for (const [series, value] of values)
      if (value > (this.#now.values.get(series) ?? 0)) this.#grownAt.set(series, Date.now());
    const at = performance.now();
    this.#now = { at, values };
    while (this.#kept[1] && at - this.#kept[1].at > WINDOW_MS) this.#kept.shift();
    if (at - (this.#kept.at(-1)?.at ?? 0) > KEPT_EVERY_MS) this.#kept.push(this.#now);
  }

  async addPoint(): Promise<void> {
    await this.read();
    this.#points.push(this.#plots.map(({ of }) => of(this)));
    if (this.#points.length > POINTS) this.#points.shift();
    this.#drawn = this.#now;
  }

  /** @returns the sum over the matching series; NaN for a metric that the process does not have. */
  sum(name: string, labels?: Labels): number {
    return sumIn(this.#now, name, labels);
  }

  grown(name: string, labels?: RegExp): number {
    return this.sum(name, labels) - (sumIn(this.#first, name, labels) || 0);
  }

  values(
    name: string,
    label: string,
    reading = this.#now,
  ): readonly (readonly [value: string, sum: number])[] {
    const sums = new Map<string, number>();
    for (const [series, count] of seriesOf(reading, name)) {
      const [, text = ''] = series.split(`${label}="`);
      const value = text.slice(0, text.indexOf('"'));
      sums.set(value, (sums.get(value) ?? 0) + count);
    }
    return [...sums];
  }

  /** @returns the growth of a counter for each value of a label, without values that have not grown. */
  grownBy(name: string, label: string): readonly (readonly [value: string, count: number])[] {
    const before = new Map(this.values(name, label, this.#first));
    return this.values(name, label)
      .map(([value, count]) => [value, count - (before.get(value) ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .sort((a, b) => b[1] - a[1]);
  }

  /** @returns the growth of a counter per second since the last point of the plots. */
  rate(name: string, labels?: RegExp): number {
    const grown = this.sum(name, labels) - (sumIn(this.#drawn, name, labels) || 0);
    return (grown * 1_000) / (this.#now.at - this.#drawn.at);
  }

  get seconds(): number {
    return Math.max(1, (this.#now.at - this.#first.at) / 1_000);
  }

  /** @returns an upper bound of a quantile of a histogram within the window; NaN without values. */
  quantile(name: string, share: number): number {
    const bounds = this.grownBy(`${name}_bucket`, 'le')
      .map(([bound, count]) => [Number(bound.replace('+Inf', 'Infinity')), count] as const)
      .sort((a, b) => a[0] - b[0]);
    const total = bounds.at(-1)?.[1] ?? 0;
    return bounds.find(([, count]) => count >= share * total)?.[0] ?? Number.NaN;
  }

  /** @returns the last time that a counter has grown, to the precision of the readings; 0 for never. */
  grownAt(name: string, labels: Labels): number {
    const series = seriesOf(this.#now, name).filter(([series]) => labels.test(series));
    return Math.max(0, ...series.map(([series]) => this.#grownAt.get(series) ?? 0));
  }

  plots(): readonly (readonly [plot: Plot, values: readonly number[]])[] {
    return this.#plots.map((plot, at) => [plot, this.#points.map(point => point[at] ?? Number.NaN)]);
  }

  get #first(): Reading {
    return this.#kept[0] ?? this.#now;
  }
}

function valuesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map(line => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

function seriesOf({ values }: Reading, name: string) {
  return [...values].filter(([series]) => series === name || series.startsWith(`${name}{`));
}

function sumIn(reading: Reading, name: string, labels: Labels = /^/): number {
  const found = seriesOf(reading, name);
  if (found.length === 0) return Number.NaN;
  return found.reduce((sum, [series, value]) => (labels.test(series) ? sum + value : sum), 0);
}
