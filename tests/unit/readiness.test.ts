import { expect, it } from 'vitest';
import { DEGRADED, type DegradedReason } from '../../server/ops/metrics/metric-table.ts';
import { createReadiness } from '../../server/ops/readiness.ts';

/** @returns the readiness, and the set of current reasons, which a test changes. */
function start(startUp = { ready: true }) {
  const failing = new Set<DegradedReason>();
  const check = (reason: DegradedReason) => [reason, () => failing.has(reason)] as const;
  const holds = Object.fromEntries(DEGRADED.map(check)) as Record<DegradedReason, () => boolean>;
  return { failing, readiness: createReadiness(startUp, holds) };
}

it.each(DEGRADED)('%s makes a replica degraded, but leaves it ready', reason => {
  const { failing, readiness } = start();
  expect([readiness.state, readiness.isReady, readiness.degraded]).toEqual(['ready', true, []]);
  failing.add(reason);
  expect([readiness.state, readiness.isReady]).toEqual(['degraded', true]);
  const [found] = readiness.degraded;
  expect(found?.reason).toBe(reason);
  expect(Number.isNaN(Date.parse(found?.since ?? ''))).toBe(false);
  // `since` stays the same while the reason holds, and the reason is gone after a recovery.
  expect(readiness.degraded).toEqual([found]);
  failing.delete(reason);
  expect([readiness.state, readiness.degraded]).toEqual(['ready', []]);
});

it('only a loading or draining replica is not ready, whatever fails', () => {
  const startUp = { ready: false };
  const { failing, readiness } = start(startUp);
  for (const reason of DEGRADED) failing.add(reason);
  expect([readiness.state, readiness.isReady]).toEqual(['loading', false]);
  startUp.ready = true;
  expect([readiness.state, readiness.isReady]).toEqual(['degraded', true]);
  readiness.drain();
  expect([readiness.state, readiness.isReady]).toEqual(['draining', false]);
});
