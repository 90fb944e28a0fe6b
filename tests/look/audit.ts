// node tests/look/audit.ts [path ...]
//
// `npm run audit`: runs Lighthouse, as on a phone, against the built site with the sample content. Each page
// is audited three times, and a table shows the medians. The exit code is 1 if a median misses its limit.

import { createServer, request } from 'node:http';
import lighthouse, { type Result } from 'lighthouse';
import { startBuiltSite } from '../faults/built-site.ts';
import { launchBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';

const RUNS = 3;
const PAGES = [
  SAMPLE_PATHS.home,
  SAMPLE_PATHS.blog,
  SAMPLE_PATHS['blog-article'],
  SAMPLE_PATHS['business-solution'],
  '/contacts',
];

interface Figure {
  name: string;
  of(result: Result): number;
  /** Lowest allowed score, or highest allowed value of another figure. */
  limit: number;
  isScore?: boolean;
  digits?: number;
}

const score = (name: string, id: string, limit: number): Figure => ({
  name,
  limit,
  isScore: true,
  of: ({ categories }) => Math.round((categories[id]?.score ?? 0) * 100),
});
const metric = (name: string, id: string, limit: number, digits = 0): Figure => ({
  name,
  limit,
  digits,
  of: ({ audits }) => audits[id]?.numericValue ?? Number.POSITIVE_INFINITY,
});

const FIGURES: readonly Figure[] = [
  score('performance', 'performance', 99),
  score('accessibility', 'accessibility', 100),
  score('best practices', 'best-practices', 100),
  score('SEO', 'seo', 100),
  metric('CLS', 'cumulative-layout-shift', 0.02, 3),
  metric('LCP, ms', 'largest-contentful-paint', 1_500),
  metric('TBT, ms', 'total-blocking-time', 50),
];

const chosenPaths = process.argv.slice(2);
const site = await startBuiltSite({});
// Chromium 153 aborts a page with a Referrer-Policy that Lighthouse 13.5 opens. The value equals the
// browser's default.
const relay = createServer((req, res) => {
  const target = new URL(req.url ?? '/', site.url);
  const headers = { ...req.headers, host: target.host };
  const passed = request(target, { method: req.method, headers }, answer => {
    const { 'referrer-policy': _, ...rest } = answer.headers;
    res.writeHead(answer.statusCode ?? 502, rest);
    answer.pipe(res);
  });
  req.pipe(passed);
});
const [relayPort, port] = [await freePort(), await freePort()];
relay.listen(relayPort);
const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
const complaints: string[] = [];
const speeds: number[] = [];
try {
  const width = Math.max(...PAGES.map(({ length }) => length)) + 2;
  console.log(''.padEnd(width) + FIGURES.map(({ name }) => name.padStart(16)).join(''));
  for (const path of chosenPaths.length > 0 ? chosenPaths : PAGES) {
    const results: Result[] = [];
    for (let run = 0; run < RUNS; run += 1) results.push(await audit(`http://127.0.0.1:${relayPort}${path}`));
    const values = FIGURES.map(figure => median(results.map(figure.of)));
    console.log(
      path.padEnd(width) + values.map((value, at) => shown(value, FIGURES[at]).padStart(16)).join(''),
    );
    FIGURES.forEach((figure, at) => {
      const value = values[at] ?? Number.NaN;
      if (figure.isScore ? value >= figure.limit : value <= figure.limit) return;
      complaints.push(`${path}: ${figure.name} is ${shown(value, figure)}, the limit is ${figure.limit}`);
    });
    complaints.push(...failedAudits(results.at(-1)).map(audit => `${path}: ${audit}`));
    speeds.push(...results.map(({ environment }) => environment.benchmarkIndex));
  }
} finally {
  await browser.close();
  relay.close();
  relay.closeAllConnections();
  await site.dispose();
}
// Lighthouse slows down every machine by the same factor. A slow machine therefore simulates a slower phone.
console.log(
  `Speed of the machine (Lighthouse's benchmarkIndex; a fast one has 1,500 and more): ${Math.round(median(speeds))}`,
);
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;

async function audit(url: string): Promise<Result> {
  const outcome = await lighthouse(url, { port, output: 'json', logLevel: 'silent' });
  if (!outcome || outcome.lhr.runtimeError) {
    throw new Error(`${url} could not be audited: ${outcome?.lhr.runtimeError?.message ?? 'no result'}`);
  }
  return outcome.lhr;
}

/** @returns the failed audits behind a score below 100. They do not depend on the machine's speed. */
function failedAudits(result: Result | undefined): string[] {
  if (!result) return [];
  return ['accessibility', 'best-practices', 'seo'].flatMap(category =>
    (result.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = result.audits[id];
      return weight > 0 && audit && audit.score !== null && audit.score < 1
        ? [`${category}: ${audit.title}`]
        : [];
    }),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function shown(value: number, figure: Figure | undefined): string {
  return value.toFixed(figure?.digits ?? 0);
}
