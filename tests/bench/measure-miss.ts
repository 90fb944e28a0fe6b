import { ask, keepAlive } from '../faults/client.ts';
import { untilNone } from '../faults/stage.ts';
import type { BenchSizes, Report } from './figures.ts';
import { type GeneratedContent, startGeneratedContent } from './generated-content.ts';
import { median } from './load.ts';
import { OPS_TOKEN, startSite } from './measured-site.ts';

/** Time of the backend for each call, in ms. */
const LATENCY_MS = 80;
/** Uncounted visits of each page before the measurement, until V8 has optimised the code. */
const WARM_UP = 40;
/** Measured visits of each page, for each start of the bench's sizes. */
const VISITS = 8;
const DOCTOR_TIMEOUT_MS = 60_000;
const TARGET = { atMost: 8 };

/** A page requested repeatedly. Each visit finds its content changed. */
interface MissedPage {
  path(): string;
  /** Tag of the content that changes before each visit, or null where each visit has another address. */
  tag: string | null;
}

/**
 * Measures misses: the time to the first byte beyond that of the backend, and the round trips. Shared content
 * is in memory. After each visit the bench repeats its calls side by side, which measures the time of the
 * backend.
 */
export async function measureMiss(sizes: BenchSizes, report: Report): Promise<void> {
  const misses = sizes.starts * VISITS;
  const content = await startGeneratedContent({
    articles: 2_000,
    categories: 6,
    redirects: 20,
    pages: 20,
    tags: 0,
  });
  // Calls of the sweep would count as calls of a page.
  const site = await startSite(content.backend, { CONTENT_SWEEP_MS: '0' });
  const numbers = { article: 0, list: 1 };
  const next = (name: keyof typeof numbers) => {
    numbers[name] += 1;
    return numbers[name];
  };
  const pages: Readonly<Record<string, MissedPage>> = {
    'landing page': { path: () => '/', tag: 'landing' },
    'page of a category': { path: () => `/blog/category-0?page=${next('list')}`, tag: null },
    article: { path: () => content.articlePath(next('article')), tag: null },
    'index of the blog': { path: () => '/blog', tag: 'articles' },
  };
  const visit = async ({ path, tag }: MissedPage) => {
    content.revision += 1;
    const headers = { authorization: `Bearer ${OPS_TOKEN}` };
    if (tag !== null) await ask(site.opsUrl, `/cache?tag=${tag}`, { method: 'DELETE', headers });
    content.backend.calls.length = 0;
    const { status, text, firstByteMs } = await ask(site.url, path(), { agent });
    const isCurrent = text.includes(`revision ${content.revision}`);
    const trips = tripsOf(content);
    const backendMs = await timeOfCalls(content);
    return { ms: firstByteMs - backendMs, backendMs, isWrong: status !== 200 || !isCurrent, ...trips };
  };
  try {
    for (const page of Object.values(pages))
      for (let visits = 0; visits < WARM_UP; visits += 1) await visit(page);
    await untilExamined(site.opsUrl);
    content.latencyMs = LATENCY_MS;
    for (const [name, page] of Object.entries(pages)) {
      const visits: Awaited<ReturnType<typeof visit>>[] = [];
      for (let count = 0; count < misses; count += 1) visits.push(await visit(page));
      const times = visits.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const backendMs = median(visits.map(visit => visit.backendMs));
      report({
        name: `miss of the ${name}: first byte after the answers of the backend`,
        value: median(times),
        unit: 'ms',
        target: TARGET,
        errors: visits.filter(({ isWrong, isLate }) => isWrong || isLate).length,
        note: `${misses} visits over an open connection, after ${WARM_UP} that are not counted; the same calls made directly take ${backendMs.toFixed(1)} ms, which are subtracted`,
        details: { times, backendMs, calls: median(visits.map(({ calls }) => calls)) },
      });
    }
  } finally {
    agent.destroy();
    await site.dispose();
    await content.backend.close();
  }
}

const agent = keepAlive();

/**
 * Repeats the calls of a visit all at once. @returns the time until the last byte of their answers, in ms.
 */
async function timeOfCalls({ backend }: GeneratedContent): Promise<number> {
  const calls = backend.calls.splice(0);
  const replies = await Promise.all(
    calls.map(({ url, headers }) =>
      ask(backend.url, encodeURI(url), { agent, headers: { accept: String(headers.accept) } }),
    ),
  );
  if (replies.some(({ status }) => status !== 200))
    throw new Error('The backend refuses the calls of a visit');
  return Math.max(...replies.map(({ ms }) => ms));
}

/**
 * Waits for the doctor, which examines the backend some time after the start. Its calls would count as calls
 * of a page.
 */
async function untilExamined(opsUrl: string): Promise<void> {
  const { left } = await untilNone(async () => {
    const { status } = await ask(opsUrl, '/doctor');
    return status === 200 ? 0 : 1;
  }, DOCTOR_TIMEOUT_MS);
  if (left > 0) throw new Error('The doctor has not examined the backend');
}

/** @returns the number of calls, and whether any call waited for the answer to another. */
function tripsOf({ backend, latencyMs }: GeneratedContent): { calls: number; isLate: boolean } {
  const times = backend.calls.map(({ at }) => at);
  return {
    calls: times.length,
    isLate: latencyMs > 0 && Math.max(...times) - Math.min(...times) >= latencyMs,
  };
}
