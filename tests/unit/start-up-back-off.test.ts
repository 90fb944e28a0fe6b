import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ContentReader } from '../../server/content/reading/content-reader.ts';
import { StartUp } from '../../server/content/reading/start-up.ts';
import { BackendError } from '../../server/errors.ts';
import { createLogger } from '../../server/ops/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A start-up with a failing backend. @returns the times of the attempts, in seconds after the first. */
async function attemptsWithin(ms: number): Promise<number[]> {
  const startedAt = Date.now();
  const attempts: number[] = [];
  const fail = () => Promise.reject(new BackendError('timeout', 'GET /api/settings', 'no answer'));
  // The start-up uses only these members of a reader.
  const reader = {
    ...{ blogPage: fail, categories: fail, authors: fail, settings: fail, landing: fail },
    ...{ redirects: fail, socials: fail, refusals: new Map() },
  } as unknown as ContentReader;
  const startUp = new StartUp({
    openReader() {
      attempts.push((Date.now() - startedAt) / 1_000);
      return reader;
    },
    retryFailed: async () => {},
    loadFromDisk: async () => false,
    invalidate: () => {},
    states: { explained: () => null, remedyFor: () => 'start the CMS' },
    log: createLogger('silent'),
  });
  startUp.begin();
  await vi.advanceTimersByTimeAsync(ms);
  startUp.stop();
  return attempts;
}

it('the start-up retries after 1 s, and doubles the pause up to 5 s', async () => {
  expect(await attemptsWithin(30_000)).toEqual([0, 1, 3, 7, 12, 17, 22, 27]);
});
