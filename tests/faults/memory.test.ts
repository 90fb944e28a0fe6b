import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { settled, visit } from '../support/visitor.ts';

/** A round trip over one page of each kind, each with a link to the next. */
const TOUR = [
  SAMPLE_PATHS.page,
  SAMPLE_PATHS['business-solution'],
  SAMPLE_PATHS.blog,
  SAMPLE_PATHS['blog-category'],
  SAMPLE_PATHS['blog-article'],
  SAMPLE_PATHS.commerce,
  SAMPLE_PATHS.blog,
  '/contacts',
  SAMPLE_PATHS.page,
  SAMPLE_PATHS.home,
];
const WARM_UP_TOURS = 5;
const TOURS = 20;

/** V8 compiles code for hundreds of navigations, which grows the heap. This flag turns its compilers off. */
const INTERPRETED = '--js-flags=--jitless --no-flush-bytecode';

let site: SampleSite;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser([INTERPRETED])]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

interface Footprint {
  heap: number;
  nodes: number;
  listeners: number;
  documents: number;
}

async function measure(session: CDPSession): Promise<Footprint> {
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize: heap } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners: listeners, documents } = await session.send('Memory.getDOMCounters');
  return { heap, nodes, listeners, documents };
}

it(`a page keeps its size over ${TOURS * TOUR.length} navigations`, async () => {
  // Prefetching is on, because its memory must be bounded, too.
  const { page, context, documents, complaints, close } = await visit(browser, site.url, {
    prefetch: true,
    context: { reducedMotion: 'reduce' },
    ignore: /net::ERR_ABORTED/,
  });
  const session = await context.newCDPSession(page);
  /** Makes all clicks in one call, because each `evaluate` leaves objects in the page. */
  const tour = async (times: number) => {
    await page.evaluate(
      async ([targets, count]) => {
        const isShown = (path: string) =>
          document.querySelector('link[rel="canonical"]')?.getAttribute('href') === location.origin + path &&
          !document.querySelector('#root[aria-busy]');
        for (let stop = 0; stop < targets.length * count; stop++) {
          const target = targets[stop % targets.length] ?? '';
          const link = document.querySelector<HTMLElement>(`a[href="${target}"]`);
          if (!link) throw new Error(`No link to ${target} on ${location.pathname}`);
          link.click();
          while (!isShown(target)) await new Promise(resolve => setTimeout(resolve, 5));
        }
      },
      [TOUR, times] as const,
    );
    await settled(page);
  };
  await tour(WARM_UP_TOURS);
  const before = await measure(session);
  await tour(TOURS);
  const after = await measure(session);
  expect(documents()).toEqual(['/']);
  expect(complaints).toEqual([]);
  expect(after.documents).toBe(before.documents);
  expect(after.nodes).toBe(before.nodes);
  expect(after.listeners).toBe(before.listeners);
  // A leak of one kilobyte in each navigation would grow the heap by 6 %.
  expect(after.heap / before.heap).toBeGreaterThan(0.95);
  expect(after.heap / before.heap).toBeLessThan(1.02);
  await close();
});
