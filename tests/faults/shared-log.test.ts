import { describe, expect } from 'vitest';
import { redisTest as it } from '../support/redis-test.ts';
import { rollingDeploy } from './scenarios/rolling-deploy.ts';
import { purgeRate, sharedEvents, storeFaults } from './scenarios/shared-log.ts';
import { FULL } from './sizes.ts';

function show<T>(outcome: T): T {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  return outcome;
}

// `tests/integration/shared-log-faults.test.ts` has the short form.
describe('three replicas with a shared store', () => {
  it('15. 300 events during cut connections: each event reaches each replica within a second', async () => {
    const outcome = show(await sharedEvents(FULL.sharedEvents));
    expect(outcome).toMatchObject({ missed: [], wrong: [] });
    expect(outcome.p99Ms).toBeLessThanOrEqual(1_000);
  });

  it('16. each fault of the store: every edit made meanwhile is right on each replica within 20 s', async () => {
    for (const outcome of show(await storeFaults(FULL.storeFaults))) {
      expect(outcome).toMatchObject({ missed: [], wrong: [] });
      expect(outcome.worstMs, outcome.fault).toBeLessThanOrEqual(FULL.storeFaults.withinMs);
    }
  });

  it('17. 10,000 purges in a minute: each replica keeps up', async () => {
    const outcome = show(await purgeRate({ replicas: 3, articles: 30, purges: 10_000, everyMs: 6 }));
    expect(outcome.refused).toBe(0);
    expect(outcome.sentMs).toBeLessThan(65_000);
    expect(outcome.behindMs).toBeLessThanOrEqual(1_000);
  });

  it('18. a rolling deploy and a roll-back: no file is missing, no page broken, no request refused', async () => {
    const { polled, ...outcome } = show(
      await rollingDeploy({ pages: 24, visitors: 4, mixedMs: 5_000, shutdownDelayMs: 2_000 }),
    );
    expect(outcome).toMatchObject({ brokenPages: [], missingAssets: [], refused: 0 });
    expect(outcome.assets).toBeGreaterThan(outcome.pages);
    // `tests/browser/new-build.test.ts` tests the open tabs, which need a second poll to recognise an earlier
    // build.
    expect(polled.mixed).toHaveLength(2);
    expect(polled.deployed).toHaveLength(1);
    expect(polled.rolledBack).toEqual(polled.mixed.filter(id => !polled.deployed.includes(id)));
  });
});
