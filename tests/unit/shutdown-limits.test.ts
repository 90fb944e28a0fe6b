import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shutdownLimits } from '../../server/shut-down.ts';

const dockerfile = readFileSync(path.resolve(import.meta.dirname, '../../Dockerfile'), 'utf8');

it('the shutdown of the image ends within nine seconds, and gives open requests four seconds', () => {
  const delayMs = Number(/\bSHUTDOWN_DELAY_MS=(\d+)/.exec(dockerfile)?.[1]);
  expect(delayMs).toBe(4_000);
  const { cutOffMs, endMs } = shutdownLimits(delayMs);
  expect(endMs).toBeLessThan(9_000);
  expect(cutOffMs - delayMs).toBeGreaterThanOrEqual(4_000);
  expect(endMs).toBeGreaterThan(cutOffMs);
});

it('a shutdown with a shorter delay ends within nine seconds; a longer delay leaves open requests four seconds', () => {
  fc.assert(
    fc.property(fc.nat(4_000), fc.integer({ min: 4_000, max: 600_000 }), (shorter, longer) => {
      expect(shutdownLimits(shorter).endMs).toBeLessThan(9_000);
      expect(shutdownLimits(longer).cutOffMs - longer).toBeGreaterThanOrEqual(4_000);
    }),
  );
});
