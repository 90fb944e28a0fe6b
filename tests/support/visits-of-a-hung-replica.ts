import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { sendJson } from './fake-backend.ts';
import { type FrontStage, visit } from './front-test.ts';
import { inFull } from './in-full.ts';

const VISITORS = 4;
const PACE_MS = 20;
/** Bound of the time until a hung replica is noticed. */
const LONGEST_MS = 3_000;
const NOTICED_AFTER_MS = 30_000;
/** Shorter than the wait for a hung replica. On a busy machine a healthy one may take as long, but seldom. */
const NO_WAIT_MS = 450;
/** Proxies that still ask a hung replica do so more often than this. */
const CALM_MS = inFull ? 20_000 : 5_000;
/** Duration of a call to a slow CMS. */
const SLOW_MS = 3_500;
/** Only a replica answers such a request, never a CDN. */
const AT_A_REPLICA = { cookie: '__Host-preview=x' };

/**
 * Stops one replica, and requests pages that each replica has stored. Nobody waits for long, and soon nobody
 * waits for a while.
 */
export async function expectNoLongWaits({ front, sites, articles }: FrontStage): Promise<void> {
  // A busy machine may refuse a page at its first render.
  for (const { url } of sites)
    for (const article of articles)
      await eventually(async () => expect((await visit(url, article)).status).toBe(200));
  sites[0]?.child.kill('SIGSTOP');
  const from = performance.now();
  const visits: { ms: number; status: number }[] = [];
  let lastWait = from;
  const isCalm = () => performance.now() > lastWait + CALM_MS;
  const visitor = async () => {
    while (!isCalm() && performance.now() < from + NOTICED_AFTER_MS + CALM_MS) {
      const begin = performance.now();
      const article = articles[visits.length % articles.length] ?? '';
      const { status } = await visit(front.url, article, AT_A_REPLICA);
      const end = performance.now();
      visits.push({ ms: end - begin, status });
      if (end - begin > NO_WAIT_MS) lastWait = end;
      await delay(PACE_MS);
    }
  };
  await Promise.all(Array.from({ length: VISITORS }, visitor));
  expect(new Set(visits.map(({ status }) => status))).toEqual(new Set([200]));
  expect(Math.max(...visits.map(({ ms }) => ms))).toBeLessThan(LONGEST_MS);
  expect(isCalm()).toBe(true);
}

/** The CMS is slower than a replica's first answer to a proxy may be. Its pages are still shown. */
export async function expectPatience({ front, backend }: FrontStage): Promise<void> {
  backend.on('/api/pages', (req, res) => {
    const { search } = new URL(req.url ?? '/', backend.url);
    setTimeout(() => sendJson(res, 200, backend.answerNow('page', search)), SLOW_MS);
  });
  const from = performance.now();
  expect((await visit(front.url, '/terms')).status).toBe(200);
  expect(performance.now() - from).toBeGreaterThanOrEqual(SLOW_MS);
}
