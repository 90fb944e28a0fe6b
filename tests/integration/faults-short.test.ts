import { describe, expect, it } from 'vitest';
import { cutOff } from '../faults/scenarios/cut-off.ts';
import { deadBackend } from '../faults/scenarios/dead-backend.ts';
import { drain } from '../faults/scenarios/drain.ts';
import { events } from '../faults/scenarios/events.ts';
import { flood } from '../faults/scenarios/flood.ts';
import { hanging } from '../faults/scenarios/hanging.ts';
import { kills } from '../faults/scenarios/kills.ts';
import { outage } from '../faults/scenarios/outage.ts';
import { removedFolder } from '../faults/scenarios/removed-folder.ts';
import { restart } from '../faults/scenarios/restart.ts';
import { rubbish } from '../faults/scenarios/rubbish.ts';
import { stampede } from '../faults/scenarios/stampede.ts';
import { SHORT } from '../faults/sizes.ts';
import { some } from '../support/in-full.ts';

/** Short form of `npm run test:faults`: it counts outcomes and asserts no times. */
describe('faults', () => {
  it('1. a dead backend: each page comes from the cache, and is fresh when the backend is back', async () => {
    expect(await outage(SHORT.outage)).toMatchObject({ failed: 0, missed: 0, old: 0 });
  });

  // `start-without-backend.test.ts` has both variants without a kill.
  it.each(some([{ renamed: false }, { renamed: true }], 1))(
    '2. kill -9 and a start without the backend: each stored page is served, %o',
    async variant => {
      const { pages } = SHORT.restart;
      expect(await restart({ ...SHORT.restart, ...variant })).toMatchObject({
        statuses: { 200: pages },
        good: pages,
        markedStale: pages,
      });
    },
  );

  it.each([0, 1])(
    'a removed data folder: the next process serves each page and %o new ones without a backend',
    async unseen => {
      const { pages } = SHORT.restart;
      expect(await removedFolder({ pages, unseen, ttlMs: 600_000 })).toEqual({
        unwritten: 0,
        statuses: { 200: pages + unseen },
      });
    },
  );

  it('3. many visitors of an unstored page: one render, and no repeated call', async () => {
    const { visitors } = SHORT.stampede;
    expect(await stampede(SHORT.stampede)).toEqual({
      statuses: { 200: visitors },
      renders: 1,
      repeatedCalls: [],
    });
  });

  it('4. a hanging backend: stored pages are served, and others are a 503 with Retry-After', async () => {
    const outcome = await hanging(SHORT.hanging);
    expect(Object.keys(outcome.seen.statuses)).toEqual(['200']);
    expect(Object.keys(outcome.unseen.statuses)).toEqual(['503']);
    expect(outcome.unseen.withoutRetryAfter).toBe(0);
    // The site has at most 64 connections. This process may see 64 new ones before the old ones close.
    expect(outcome.connections).toBeLessThanOrEqual(128);
  });

  it('5. invalid responses of the backend: none is stored', async () => {
    for (const outcome of await rubbish(SHORT.rubbish)) {
      expect(outcome).toMatchObject({ failed: 0, changed: 0, stillWrong: 0 });
      expect([outcome.fault, Object.keys(outcome.unseen)]).toEqual([outcome.fault, ['503']]);
    }
  });

  it('6. random events, some lost: each page is right in its second response', async () => {
    const outcome = await events(SHORT.events);
    expect(outcome.wrong, `seed ${outcome.seed}`).toEqual([]);
    expect(outcome.refused).toEqual([]);
    expect(outcome.lost).toBeGreaterThan(0);
  });

  it('7. visitors who disconnect before their response: their work stops', async () => {
    expect(await cutOff(SHORT.cutOff)).toMatchObject({ answered: 0, renders: 0, loads: 0 });
  });

  it('8. SIGTERM under load: accepted requests are answered, and idle connections close', async () => {
    const { slow, idle } = SHORT.drain;
    expect(await drain(SHORT.drain)).toMatchObject({
      cut: 0,
      slowAnswered: slow,
      idleClosed: idle,
      exitCode: 0,
    });
  });

  it('9. a flood of queries and unknown paths: memory is bounded, and real pages stay stored', async () => {
    const { queries, paths, pageCacheBytes } = SHORT.flood;
    const outcome = await flood(SHORT.flood);
    expect(outcome).toMatchObject({
      queryStatuses: { 200: queries },
      failed: 0,
      hitRateDuring: 1,
    });
    // A late event loop serves only stored pages, and refuses renders with a 503.
    const { 404: missing = 0, 503: refused = 0, ...others } = outcome.pathStatuses;
    expect([missing + refused, others]).toEqual([paths, {}]);
    expect(missing).toBeGreaterThan(paths / 2);
    // Bounds of all caches: pages, missing pages, content, missing content.
    expect(outcome.cacheBytes).toBeLessThan(pageCacheBytes + (8 + 64 + 1) * 1024 * 1024);
  });

  it('10. kill -9 while messages are accepted and delivered: the backend stores each once', async () => {
    const { kills: times, messages } = SHORT.kills;
    const sent = times * messages;
    const outcome = await kills(SHORT.kills);
    expect(outcome).toMatchObject({ sent, acknowledged: sent, lost: 0, wrong: 0, left: 0 });
    expect(outcome.killed).toEqual({
      'at a step': 2,
      'on arrival': 1,
      'before the answer': 1,
      'when all was done': 0,
    });
  });

  it('13. a dead backend, with kill -9 in the middle: each response is a 200, and each message arrives once', async () => {
    expect(await deadBackend('refuse', SHORT.deadBackend)).toMatchObject({
      ...{ failed: 0, changed: 0, refused: 0, lost: 0, repeated: 0, old: 0 },
    });
  });
});
