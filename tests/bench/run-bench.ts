// node tests/bench/run-bench.ts [--quick] [--rows identity] [--only hits,renders,…]
// The names of the parts are the keys of `parts` below.
// Measures the built server (run `npm run build` first), prints a table and writes bench-results.json.

import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pinLoad, SERVER_CORE } from './cores.ts';
import type { BenchSizes, Figure } from './figures.ts';
import { GENERATOR } from './load.ts';
import { measureArticles } from './measure-articles.ts';
import { measureBrowser } from './measure-browser.ts';
import { measureDev } from './measure-dev.ts';
import { measureExport } from './measure-export.ts';
import { measureFloods } from './measure-floods.ts';
import { measureFolders } from './measure-folders.ts';
import { measureGrowth } from './measure-growth.ts';
import { measureHistory } from './measure-history.ts';
import { measureHits } from './measure-hits.ts';
import { measureMedia } from './measure-media.ts';
import { measureMessages } from './measure-messages.ts';
import { measureMiss } from './measure-miss.ts';
import { measureRenders } from './measure-renders.ts';
import { measureReplicas } from './measure-replicas.ts';
import { measureSearch } from './measure-search.ts';
import { measureStart } from './measure-start.ts';
import { measureTicks } from './measure-ticks.ts';

const FULL: Omit<BenchSizes, 'rows'> = {
  runs: 5,
  seconds: 2,
  pages: 500,
  growth: [5_000, 20_000, 50_000],
  starts: 7,
  articles: 10_000,
  texts: 60,
  waiting: 10_000,
  media: 28_000,
  content: { articles: 50_000, categories: 200, redirects: 5_000, pages: 2_000, tags: 20 },
  stored: 5_000,
  exported: 10_000,
};
const QUICK: Omit<BenchSizes, 'rows'> = {
  runs: 1,
  seconds: 1,
  pages: 30,
  growth: [50, 100, 200],
  starts: 1,
  articles: 2_000,
  texts: 3,
  waiting: 500,
  media: 500,
  content: { articles: 2_000, categories: 30, redirects: 200, pages: 100, tags: 20 },
  stored: 100,
  exported: 200,
};
const RESULTS = path.resolve(import.meta.dirname, '../../bench-results.json');

const parts = {
  hits: measureHits,
  renders: measureRenders,
  start: measureStart,
  replicas: measureReplicas,
  miss: measureMiss,
  growth: measureGrowth,
  articles: measureArticles,
  search: measureSearch,
  media: measureMedia,
  floods: measureFloods,
  ticks: measureTicks,
  folders: measureFolders,
  history: measureHistory,
  messages: measureMessages,
  export: measureExport,
  dev: measureDev,
  browser: measureBrowser,
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rows: { type: 'string', default: '' },
  },
});
const sizes: BenchSizes = { ...(values.quick ? QUICK : FULL), rows: values.rows };
const only = values.only?.split(',');
const figures: Figure[] = [];

pinLoad();
console.log(
  `Node ${process.version}, ${os.cpus()[0]?.model ?? 'unknown processor'}, ${
    SERVER_CORE === undefined ? 'cores not pinned' : `server on core ${SERVER_CORE}, load on another`
  }, load by ${GENERATOR}, load average ${os.loadavg()[0]?.toFixed(2)}${values.quick ? ', quick' : ''}\n`,
);
for (const [name, measure] of Object.entries(parts)) {
  if (only && !only.includes(name)) continue;
  await measure(sizes, figure => {
    figures.push(figure);
    console.log(lineOf(figure));
  });
}
await writeFile(
  RESULTS,
  `${JSON.stringify(
    {
      at: new Date().toISOString(),
      node: process.version,
      cpu: os.cpus()[0]?.model,
      pinned: SERVER_CORE !== undefined,
      loadAverage: os.loadavg(),
      sizes,
      figures: figures.map(figure => ({ ...figure, verdict: verdictOf(figure) })),
    },
    null,
    2,
  )}\n`,
);
const missed = figures.filter(figure => verdictOf(figure) === 'missed').length;
console.log(`\n${missed === 0 ? 'All targets reached' : `${missed} targets missed`}. Details: ${RESULTS}`);

function lineOf(figure: Figure): string {
  const { name, value, unit, target, errors, note = '' } = figure;
  const limit =
    target === null
      ? ''
      : 'atLeast' in target
        ? `≥ ${+target.atLeast.toFixed(2)}`
        : `≤ ${+target.atMost.toFixed(2)}`;
  return [
    name.padEnd(72),
    `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`.padEnd(14),
    limit.padEnd(8),
    verdictOf(figure).padEnd(7),
    errors > 0 ? `${errors} errors` : '',
    note,
  ]
    .join(' ')
    .trimEnd();
}

function verdictOf({ value, target, errors }: Figure): 'ok' | 'missed' | '' {
  if (target === null) return '';
  const reached = 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
  return reached && errors === 0 ? 'ok' : 'missed';
}
