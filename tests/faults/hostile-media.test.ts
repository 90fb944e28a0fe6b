import { expect, it } from 'vitest';
import { hostileMedia } from './scenarios/hostile-media.ts';

const MAX_BYTES = 600 * 1024 * 1024;

// `tests/integration/scaler.test.ts` and `refused-images.test.ts` have the short form.
it('hostile pictures, two at once: each has its status, pages are answered, and memory stays below 600 MB', async () => {
  const outcome = await hostileMedia();
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  expect(outcome).toMatchObject({ wrong: [], failedPages: 0 });
  expect(outcome.peakBytes).toBeLessThan(MAX_BYTES);
});
