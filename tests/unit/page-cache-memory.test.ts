import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { some } from '../support/in-full.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../support/measure-page-cache.ts');

/** Fills a page cache in a separate process with 20,000 pages, each in two encodings. */
async function measure(bodyBytes: number): Promise<{ entries: number; ratio: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', SCRIPT, String(bodyBytes)]);
  return JSON.parse(stdout);
}

describe('the counted size of the page cache', () => {
  // Small bodies mainly measure the overhead of entries. Large bodies mainly measure the bodies.
  it.each(some([6_000, 200], 1))(
    'the counted size of the page cache equals the growth of the process: bodies of %i bytes',
    async bodyBytes => {
      const { entries, ratio } = await measure(bodyBytes);
      expect(entries).toBeGreaterThan(20_000);
      expect(ratio).toBeGreaterThan(0.85);
      expect(ratio).toBeLessThan(1.2);
    },
  );
});
