import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shutdownLimits } from '../../server/shut-down.ts';

const dockerfile = readFileSync(path.resolve(import.meta.dirname, '../../Dockerfile'), 'utf8');

it('with the Dockerfile’s delay, a shutdown takes under nine seconds, and open requests get four', () => {
  const delayMs = Number(/\bSHUTDOWN_DELAY_MS=(\d+)/.exec(dockerfile)?.[1]);
  expect(delayMs).toBe(4_000);
  const { cutOffMs, endMs } = shutdownLimits(delayMs);
  expect(endMs).toBeLessThan(9_000);
  expect(cutOffMs - delayMs).toBeGreaterThanOrEqual(4_000);
  expect(endMs).toBeGreaterThan(cutOffMs);
});

it('with a shorter delay, a shutdown takes under nine seconds; with a longer one, requests still get four seconds', () => {
  fc.assert(
    fc.property(fc.nat(4_000), fc.integer({ min: 4_000, max: 600_000 }), (shorter, longer) => {
      expect(shutdownLimits(shorter).endMs).toBeLessThan(9_000);
      expect(shutdownLimits(longer).cutOffMs - longer).toBeGreaterThanOrEqual(4_000);
    }),
  );
});
