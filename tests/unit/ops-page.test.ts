import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Figures } from '../../server/ops-page/figures.ts';
import { html } from '../../server/ops-page/html.ts';
import { plots } from '../../server/ops-page/now.ts';
import { lineOf, readRunbook } from '../../server/ops-page/runbook.ts';
import { REASONS } from '../../server/ops-page/verdict.ts';
import type { View } from '../../server/ops-page/view.ts';

const METRICS = `# HELP answers_total Answers
# TYPE answers_total counter
answers_total{outcome="hit",kind="page"} 6
answers_total{outcome="hit",kind="payload"} 1
answers_total{outcome="miss",kind="page"} 3
answers_total_other 50
took_seconds_bucket{le="0.1"} 5
took_seconds_bucket{le="1"} 9
took_seconds_bucket{le="+Inf"} 10
memory_bytes 1.5e+06
`;

describe('Figures', () => {
  it('Figures adds up series, also by label, and returns NaN for an unknown metric', async () => {
    const figures = new Figures(async () => METRICS, []);
    await figures.read();
    expect([figures.sum('answers_total'), figures.sum('answers_total', /kind="page"/)]).toEqual([10, 9]);
    expect(figures.grownBy('answers_total', 'outcome')).toEqual([
      ['hit', 7],
      ['miss', 3],
    ]);
    expect([figures.sum('memory_bytes'), figures.sum('unknown'), figures.grown('unknown')]).toEqual([
      ...[1_500_000, Number.NaN, Number.NaN],
    ]);
    expect([0.5, 0.9, 0.99].map(share => figures.quantile('took_seconds', share))).toEqual([
      ...[0.1, 1, Number.POSITIVE_INFINITY],
    ]);
    expect(figures.grownAt('answers_total', /miss/)).toBeGreaterThan(0);
    expect(figures.grownAt('answers_total', /stale/)).toBe(0);
  });

  it('Figures keeps at most 240 points of a plot', async () => {
    const plot = { title: 'answers', of: (of: Figures) => of.sum('answers_total'), written: String };
    const figures = new Figures(async () => METRICS, [plot]);
    for (let point = 0; point < 300; point += 1) await figures.addPoint();
    const [[, values] = [plot, []]] = figures.plots();
    expect([values.length, values.at(-1)]).toEqual([240, 10]);
  });
});

it('a plot ends at the right edge, and has a gap for a value that is not a number', async () => {
  const values = [5, Number.NaN, 0, 10];
  const plot = { title: 'answers', of: () => values.shift() ?? 0, written: String };
  const figures = new Figures(async () => METRICS, [plot]);
  while (values.length > 0) await figures.addPoint();
  const shown = (await plots.show({ figures } as View))?.text;
  expect(shown).toContain('aria-label="answers, at most 10"><path d="M236 25.0M238 50.0L239 0.0"/></svg>');
});

it('html escapes each value except its own results', () => {
  const inner = html`<b title="${'"x"'}">${'<script>'}</b>`;
  expect(html`${inner}${[inner]}${null}${undefined}${false}${0}`.text).toBe(
    `${'<b title="&quot;x&quot;">&lt;script&gt;</b>'.repeat(2)}0`,
  );
});

it('for each reason of the ops page’s verdict, docs/runbook.md says what visitors notice and what to do', async () => {
  const runbook = await readRunbook();
  expect([...runbook.keys()]).toEqual(
    Array.from(
      readFileSync(path.resolve(import.meta.dirname, '../../docs/runbook.md'), 'utf8').matchAll(
        /^## (.+)$/gm,
      ),
      ([, title]) => title,
    ),
  );
  const lines = Object.values(REASONS).map(([, section]) => [
    ...[section, lineOf(runbook, section, 'Visitors notice'), lineOf(runbook, section, 'In short')],
  ]);
  expect(lines.filter(line => line.includes(''))).toEqual([]);
});
