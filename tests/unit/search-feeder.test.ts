import { expect, it, vi } from 'vitest';
import { createIndexFeeder, type IndexFeederOptions } from '../../server/search/index-feeder.ts';

/** Content that is loaded at once. */
const loaded = <T>(value: T) => ({ value: { value } });

it('the index has the names of categories before the articles, also where the backend could not be asked at first', async () => {
  const done: string[] = [];
  let mayNot = 3;
  const cache = { read: async (request: unknown) => request, invalidate() {}, remove() {}, expireAll() {} };
  // The parts that the feeder calls, with answers that are no requests.
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
      mayNot -= 1;
      return mayNot < 0;
    },
    spareTime: async () => {},
    onChange() {},
    log: { warn() {} },
    retryMs: 5,
  } as unknown as IndexFeederOptions;
  const feeder = createIndexFeeder(options);
  feeder.begin();
  await vi.waitFor(() => expect(done.filter(name => name === 'put').length).toBeGreaterThan(1));
  expect(done.filter(name => name !== 'state')[0]).toBe('names');
  feeder.stop();
});
