import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { UNWATCHED } from '../../server/cache/disk/disk-health.ts';
import { createSearch, type SearchOptions } from '../../server/search/search.ts';
import { DIST_DIR } from '../support/start-site.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'search-start-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

it('the index thread starts with the first visitor who searches, not with the first page', async () => {
  // Stubs: a search that may not call the backend uses no other parts of the site.
  const options = {
    ...{ distDir: DIST_DIR, dir, content: {}, timeZone: () => 'UTC', mayAsk: () => false },
    decoding: { mediaAddress: () => null, compileText: async () => null, media: {} },
    lifetimes: { ttlMs: 1_000, staleIfErrorMs: 1_000, invalidations: { positionOf: () => 0 } },
    ...{ spareTime: async () => {}, onChange() {}, health: UNWATCHED, log: { warn() {}, debug() {} } },
  } as unknown as SearchOptions;
  const search = createSearch(options);
  const threads = vi.spyOn(process, 'getBuiltinModule');
  vi.useFakeTimers();
  search.begin(60_000);
  vi.advanceTimersByTime(59_000);
  vi.useRealTimers();
  expect(await search.articleOf('first')).toBeNull();
  expect([search.isReading, threads.mock.calls]).toEqual([true, []]);

  const query = { text: 'first', type: null, category: null, page: 1, size: 1, hasSnippets: false };
  expect((await search.find(query)).hits).toEqual([]);
  expect(existsSync(path.join(dir, 'search', 'index.db'))).toBe(true);
  search.stop();
  await search.settled();
});
