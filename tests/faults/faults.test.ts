import { describe, expect, it } from 'vitest';
import { VECTORS } from './hostile-vectors.ts';
import { cutOff } from './scenarios/cut-off.ts';
import { drain } from './scenarios/drain.ts';
import { events } from './scenarios/events.ts';
import { fleet } from './scenarios/fleet.ts';
import { flood } from './scenarios/flood.ts';
import { hanging } from './scenarios/hanging.ts';
import { hostileContents } from './scenarios/hostile-content.ts';
import { kills } from './scenarios/kills.ts';
import { outage } from './scenarios/outage.ts';
import { removedFolder } from './scenarios/removed-folder.ts';
import { restart } from './scenarios/restart.ts';
import { rubbish } from './scenarios/rubbish.ts';
import { slowSockets } from './scenarios/slow-sockets.ts';
import { stampede } from './scenarios/stampede.ts';
import { STORE_FAULTS, startStoreStage } from './scenarios/store-faults.ts';
import { FULL } from './sizes.ts';

const MB = 1024 * 1024;

/** Differences up to this many ms between two measurements are noise of the machine. */
const NOISE_MS = 1;

function show(outcome: unknown): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}

// `tests/integration/faults-short.test.ts` has the short form. This one takes a quarter of an hour.
describe('faults, in full', () => {
  it('1. a backend dead for a minute: no visitor notices, and all is fresh 5 s after its return', async () => {
    const outcome = await outage(FULL.outage);
    show(outcome);
    expect(outcome).toMatchObject({ failed: 0, missed: 0, old: 0 });
    expect(outcome.p99DuringMs).toBeLessThanOrEqual(outcome.p99BeforeMs * 1.2 + NOISE_MS);
    // All pages are rendered again during the traffic, which takes a slow machine longer.
    expect(outcome.freshAfterMs).toBeLessThan(Math.max(5_000, 1.5 * outcome.filledMs));
    // Renders in flight when the outage begins, plus one for each probe of the breaker, once a second.
    expect(outcome.rendersDuring).toBeLessThan(FULL.outage.outageMs / 100);
  });

  it.each([{ renamed: false }, { renamed: true }])(
    '2. kill -9 and a start without the backend: each stored page is answered, %o',
    async variant => {
      const outcome = await restart({ ...FULL.restart, ...variant });
      show(outcome);
      const { pages } = FULL.restart;
      expect(outcome.statuses).toEqual({ 200: pages });
      expect(outcome.good).toBe(pages);
      expect(outcome.markedStale).toBe(pages);
      // A slow machine gets more time: for pages from disk, a quarter of the time of their first renders.
      const { answeredAfterMs, filledMs } = outcome;
      const [limitMs, ownMs] = variant.renamed ? [2_000 + pages * 10, 1.5 * filledMs] : [2_000, filledMs / 4];
      expect(answeredAfterMs).toBeLessThan(Math.max(limitMs, ownMs));
    },
  );

  it.each([0, 1])(
    'a removed data folder: the next process serves each page and %o new ones without a backend',
    async unseen => {
      const { pages } = FULL.restart;
      expect(await removedFolder({ pages, unseen, ttlMs: 600_000 })).toEqual({
        unwritten: 0,
        statuses: { 200: pages + unseen },
      });
    },
  );

  it('3. a thousand visitors of an unstored page: one render, and no repeated call', async () => {
    const outcome = await stampede(FULL.stampede);
    show(outcome);
    expect(outcome).toEqual({ statuses: { 200: FULL.stampede.visitors }, renders: 1, repeatedCalls: [] });
  });

  it('4. a hanging backend: stored pages are answered at once, and other pages are a 503 in time', async () => {
    const outcome = await hanging(FULL.hanging);
    show(outcome);
    expect(Object.keys(outcome.seen.statuses)).toEqual(['200']);
    expect(Object.keys(outcome.unseen.statuses)).toEqual(['503']);
    expect(outcome.unseen.withoutRetryAfter).toBe(0);
    // The site has at most 64 connections. This process may see 64 new ones before the old ones close.
    expect(outcome.connections).toBeLessThanOrEqual(128);
    expect(outcome.seen.p99Ms).toBeLessThan(50);
    // The breaker opens after the first calls have waited 2.5 s. A page whose render began shortly before
    // waits as long again.
    expect(outcome.unseen.slowestMs).toBeLessThan(6_000);
  });

  it('5. a backend with invalid answers: none is stored', async () => {
    const outcomes = await rubbish(FULL.rubbish);
    show(outcomes);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ failed: 0, changed: 0, stillWrong: 0 });
      expect(Object.keys(outcome.unseen)).toEqual(['503']);
    }
  });

  it('6. a thousand random webhooks, a tenth of them lost: each page is right in its second response', async () => {
    const outcome = await events(FULL.events);
    show(outcome);
    expect(outcome.wrong, `seed ${outcome.seed}`).toEqual([]);
    expect(outcome.refused).toEqual([]);
  });

  it('7. 80,000 visitors who disconnect before their response: no memory, render or call is left', async () => {
    const outcome = await cutOff(FULL.cutOff);
    show(outcome);
    expect(outcome).toMatchObject({ answered: 0, renders: 0, loads: 0 });
    // Averaged over all rounds, because strings and compiled code vary by a megabyte from one round to the
    // next.
    const { rounds } = FULL.cutOff;
    const growth =
      ((outcome.heapBytes.at(-1) ?? Number.NaN) - (outcome.heapBytes[0] ?? Number.NaN)) / rounds / MB;
    expect(growth, 'MB a round').toBeLessThan(1);
  });

  it('8. SIGTERM under load: accepted requests are answered, and idle connections close', async () => {
    const outcome = await drain(FULL.drain);
    show(outcome);
    expect(outcome).toMatchObject({
      cut: 0,
      slowAnswered: FULL.drain.slow,
      idleClosed: FULL.drain.idle,
      exitCode: 0,
    });
    expect(outcome.exitMs).toBeLessThan(5_000);
  });

  it('9. a million queries and 100,000 unknown paths: memory is bounded, and real pages stay stored', async () => {
    const outcome = await flood(FULL.flood);
    show(outcome);
    const { queries, paths, pages, pageCacheBytes } = FULL.flood;
    expect(outcome.queryStatuses).toEqual({ 200: queries });
    expect(outcome.pathStatuses).toEqual({ 404: paths });
    expect(outcome.failed).toBe(0);
    expect(outcome.cacheBytes).toBeLessThan(pageCacheBytes + (8 + 64 + 1) * MB);
    expect(outcome.rssBytesAfter).toBeLessThan(350 * MB);
    expect(outcome.hitRateDuring).toBeGreaterThan(outcome.hitRateBefore - 0.01);
    expect(outcome.cacheEntries).toBeGreaterThan(pages);
  });

  it('10. 200 kills at every step of a message: acknowledged messages are delivered, and stored once', async () => {
    const outcome = await kills(FULL.kills);
    show(outcome);
    const { kills: times, messages } = FULL.kills;
    const sent = times * messages;
    expect(outcome).toMatchObject({ sent, acknowledged: sent, lost: 0, wrong: 0, left: 0 });
    expect(outcome.killed['at a step']).toBeGreaterThan(times / 2);
  });

  it('11. each known attack in each field, and 500 random contents: no script runs, no request leaves the site', async () => {
    const outcome = await hostileContents(FULL.hostile);
    show({ ...outcome, harm: outcome.harm.length });
    expect(outcome.harm, `seed ${FULL.hostile.seed}`).toEqual([]);
    expect(outcome.pages).toBe(VECTORS.length * 2 * 7 + FULL.hostile.contents * 2);
    expect(outcome.shown).toBeGreaterThan(outcome.pages * 0.85);
  });

  it('12. 2,000 idle or slow sockets: all are cut, and no visitor notices', async () => {
    const outcome = await slowSockets(FULL.slowSockets);
    show(outcome);
    const { sockets } = FULL.slowSockets;
    expect(outcome).toMatchObject({ open: sockets, cut: sockets });
    expect(Object.keys(outcome.statuses)).toEqual(['200']);
    expect(outcome.lastCutMs).toBeLessThan(25_000);
    expect(outcome.p99DuringMs).toBeLessThanOrEqual(outcome.p99BeforeMs * 1.5 + 10 * NOISE_MS);
  });

  it('16. six replicas make few more calls to the CMS than one, and a new replica needs no CMS', async () => {
    const outcome = await fleet(FULL.fleet);
    show(outcome);
    const { pages } = FULL.fleet;
    expect(outcome.callsOfAll).toBeLessThanOrEqual(outcome.callsAlone * 1.15);
    expect(outcome.newReplica).toMatchObject({ statuses: { 200: pages }, good: pages });
    expect(outcome.newReplica.readyAfterMs).toBeLessThan(2_000);
  });

  it.for(STORE_FAULTS.map(fault => [fault.name, fault] as const))(
    '15. a shared store that is %s, at 200 requests a second: no visitor notices',
    async ([, fault]) => {
      const stage = await startStoreStage(FULL.sharedStore);
      try {
        const outcome = await stage.run(fault);
        show({ fault: fault.name, ...outcome });
        expect(outcome.failed).toBe(0);
        expect(outcome.p99DuringMs).toBeLessThanOrEqual(outcome.p99ControlMs + 60);
      } finally {
        await stage.close();
      }
    },
  );
});
