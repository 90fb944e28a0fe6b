import { expect, it, vi } from 'vitest';
import { UNWATCHED } from '../../server/cache/disk/disk-health.ts';
import { IndexFeeder, type IndexFeederOptions } from '../../server/search/feeding/index-feeder.ts';

/** Content that loads at once. */
const loaded = <T>(value: T) => ({ value: { value } });

/** @returns a feeder that may not call the CMS at first, and the tasks that the thread has run. */
function createFeeder(mayNot: number) {
  const done: string[] = [];
  let refusals = mayNot;
  const cache = { read: async (request: unknown) => request, invalidate() {}, remove() {}, expireAll() {} };
  // Fake parts that the feeder calls. They resolve at once, without requests.
  const options = {
    thread: {
      async run(name: string) {
        done.push(name);
        return name === 'state' ? { count: 0, stamp: '' } : true;
      },
    },
    rows: {
      newest: () => loaded({ by: null, stamp: '', total: 1 }),
      rows: () => loaded({ rows: [{ id: '1', stamp: '', document: null }], isLast: true }),
      ids: async () => null,
    },
    cache,
    content: {
      api: {
        categories: () => loaded({ list: [] }),
        authors: () => loaded({ list: [] }),
        tags: () => loaded({ list: [] }),
      },
      cache,
    },
    mayAsk() {
      refusals -= 1;
      return refusals < 0;
    },
    spareTime: async () => {},
    onChange() {},
    health: UNWATCHED,
    log: { warn() {} },
    retryMs: 5,
  } as unknown as IndexFeederOptions;
  return { feeder: new IndexFeeder(options), done };
}

it('the index gets category names before articles, even if the CMS may not be called at first', async () => {
  const { feeder, done } = createFeeder(3);
  feeder.begin();
  await vi.waitFor(() => expect(done.filter(name => name === 'put').length).toBeGreaterThan(1));
  expect(done.filter(name => name !== 'state')[0]).toBe('names');
  feeder.stop();
});

it('delayed indexing begins at once when the first visitor searches', async () => {
  const { feeder, done } = createFeeder(0);
  feeder.begin(60_000);
  expect([feeder.isReading, done]).toEqual([true, []]);
  feeder.hurry();
  await vi.waitFor(() => expect(feeder.isReading).toBe(false));
  expect(done).toContain('put');
  feeder.stop();
});
