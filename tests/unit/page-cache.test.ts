import { describe, expect, it } from 'vitest';
import type { LastGood } from '../../server/cache/last-good.ts';
import { createPurges } from '../../server/cache/purges.ts';
import {
  createPageCache,
  type Elsewhere,
  type PageCacheOptions,
  type Produced,
} from '../../server/page-cache/page-cache.ts';
import { complete, makeStoredPage, type StoredPage } from '../../server/page-cache/stored-page.ts';

const TTL_MS = 60_000;
const STALE_IF_ERROR_MS = 10 * TTL_MS * 60;
const START = 1_000_000_000;

/** A page in the making, that the test ends by hand. */
interface Making {
  signal: AbortSignal;
  finish(outcome: Produced | Elsewhere): void;
  fail(error: unknown): void;
}

/** A disk in memory. */
function startDisk() {
  const files = new Map<string, StoredPage>();
  const disk: LastGood<StoredPage> = {
    write: (key, page) => void files.set(key, { ...page }),
    read: async key => files.get(key) ?? null,
    remove: key => void files.delete(key),
    settled: async () => {},
    waiting: 0,
  };
  return { files, disk };
}

/** A cache on a clock that stands still until it is moved, and everything that happens to it. */
function startCache(options: Partial<PageCacheOptions> = {}) {
  const clock = { ms: START };
  const now = () => clock.ms;
  const purges = createPurges(now);
  const events: string[] = [];
  const makings: Making[] = [];
  const { files, disk } = startDisk();
  const cache = createPageCache({
    maxBytes: 100_000,
    ttlMs: TTL_MS,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    purges,
    lastGood: disk,
    now,
    onEvent: ({ kind, key }) => void events.push(`${kind} ${key}`),
    ...options,
  });
  const produce = (signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<Produced | Elsewhere>();
    makings.push({ signal, finish: resolve, fail: reject });
    return promise;
  };
  return {
    cache,
    clock,
    files,
    makings,
    make: (key = 'a', signal?: AbortSignal) => cache.make(key, produce, signal),
    renew: (key = 'a') => cache.renew(key, produce),
    /** The page of a text, made now. */
    page: (text: string, given: Partial<StoredPage> = {}) => storedPage(text, { madeAt: clock.ms, ...given }),
    /** Makes and stores a page. */
    async store(text: string, given: Partial<StoredPage> = {}, key = 'a') {
      await cache.make(key, async () => storedPage(text, { madeAt: clock.ms, ...given }));
      events.splice(0);
    },
    /** As `server/cache/purge.ts` does. */
    purge(tag: string, dropped = false) {
      purges.note([tag], dropped);
      cache.purge(tag, dropped);
    },
    /** What happened since this was asked last. */
    trace: () => events.splice(0),
    /** The pages in the making that began since this was asked last. */
    began: () => makings.splice(0),
    shown: (key = 'a') => textOf(cache.find(key)?.page),
  };
}

function storedPage(text: string, given: Partial<StoredPage>): Produced {
  const page: StoredPage = {
    status: 200,
    route: 'page',
    headers: [],
    etag: `W/"${text}"`,
    bodies: { br: Buffer.from(text), gzip: Buffer.alloc(0) },
    identityBytes: text.length,
    tags: ['pages:1', 'settings'],
    about: 'pages:1',
    madeAt: 0,
    bytes: 100,
    purged: false,
    ...given,
  };
  return { page, shelf: page.status === 404 ? 'absent' : 'pages' };
}

const textOf = (page: StoredPage | undefined) => page?.bodies.br?.toString() ?? null;
const ended = () => new Promise(resolve => setImmediate(resolve));

describe('the life of a page', () => {
  it('is fresh for its time, stale until the end of the grace, and then it is over', async () => {
    const { cache, clock, store } = startCache();
    expect(cache.find('a')).toBeNull();
    await store('one');
    const lives: [number, object | null][] = [
      [0, { ttlMs: TTL_MS, waitMs: 0 }],
      [TTL_MS - 1, { ttlMs: 1, waitMs: 0 }],
      [TTL_MS, { ttlMs: 0, waitMs: 0 }],
      [10 * TTL_MS, { ttlMs: -9 * TTL_MS, waitMs: 0 }],
      [10 * TTL_MS + 1, { ttlMs: -9 * TTL_MS - 1, waitMs: 300 }],
      [TTL_MS + STALE_IF_ERROR_MS - 1, { ttlMs: 1 - STALE_IF_ERROR_MS, waitMs: 300 }],
      [TTL_MS + STALE_IF_ERROR_MS, null],
    ];
    for (const [age, found] of lives) {
      clock.ms = START + age;
      if (found === null) expect([age, cache.find('a')]).toEqual([age, null]);
      else expect(cache.find('a')).toMatchObject(found);
    }
  });

  it('begins when the oldest of its content was true, not when it was rendered', async () => {
    const { cache, store } = startCache();
    await store('one', { madeAt: START - TTL_MS + 5 });
    expect(cache.find('a')).toMatchObject({ ttlMs: 5 });
  });

  it('begins anew with a renewal', async () => {
    const { cache, clock, page, renew, began, trace, shown, store } = startCache();
    await store('one');
    clock.ms += TTL_MS + 10;
    renew();
    expect(shown()).toBe('one');
    began()[0]?.finish(page('two'));
    await ended();
    expect(shown()).toBe('two');
    expect(cache.find('a')).toMatchObject({ ttlMs: TTL_MS });
    expect(trace()).toEqual(['stored a']);
  });
});

describe('a renewal', () => {
  it('is one at a time, whoever asks for it', async () => {
    const { clock, page, renew, make, began, trace, store } = startCache();
    await store('one');
    clock.ms += TTL_MS;
    for (let index = 0; index < 100; index++) renew();
    const waiting = make();
    const makings = began();
    expect(makings).toHaveLength(1);
    makings[0]?.finish(page('two'));
    expect(textOf(((await waiting) as Produced).page)).toBe('two');
    expect(trace()).toEqual(['stored a']);
  });

  it('that fails leaves the good page, and is not tried again within a second', async () => {
    const { cache, clock, renew, began, trace, shown, store, page } = startCache();
    await store('one');
    clock.ms += 20 * TTL_MS;
    expect(cache.find('a')?.waitMs).toBe(300);
    renew();
    began()[0]?.fail(new Error('down'));
    await ended();
    expect(trace()).toEqual(['renewal-failed a']);
    expect(shown()).toBe('one');

    clock.ms += 999;
    renew();
    expect(began()).toHaveLength(0);
    expect(cache.find('a')?.waitMs, 'nobody waits for what has just failed').toBe(0);
    clock.ms += 1;
    expect(cache.find('a')?.waitMs).toBe(300);
    renew();
    began()[0]?.finish(page('two'));
    await ended();
    expect(shown()).toBe('two');
    expect(trace()).toEqual(['stored a']);
  });

  it('of an old page is waited for only while the backend answers, but after a purge in any case', async () => {
    const backend = { isUp: true };
    const { cache, clock, purge, store } = startCache({ isBackendUp: () => backend.isUp });
    await store('one');
    clock.ms += 20 * TTL_MS;
    expect(cache.find('a')?.waitMs).toBe(300);
    backend.isUp = false;
    expect(cache.find('a')?.waitMs).toBe(0);
    purge('settings');
    expect(cache.find('a')?.waitMs).toBe(1_000);
  });

  it('that somebody waited for counts as well when it fails', async () => {
    const { cache, clock, make, renew, began, trace, store } = startCache();
    await store('one');
    clock.ms += 20 * TTL_MS;
    const waiting = make();
    began()[0]?.fail(new Error('down'));
    await expect(waiting).rejects.toThrow('down');
    expect(cache.find('a')?.waitMs).toBe(0);
    renew();
    expect(began()).toHaveLength(0);
    expect(trace()).toEqual(['renewal-failed a']);
  });

  it('waits for its turn behind four others, first come, first served', async () => {
    const { cache, clock, store, page, renew, began, shown } = startCache();
    const keys = Array.from({ length: 9 }, (_, index) => `page-${index}`);
    for (const key of keys) await store('old', {}, key);
    clock.ms += TTL_MS;
    for (const key of [...keys, ...keys]) renew(key);
    await ended();
    const first = began();
    expect(first).toHaveLength(4);
    expect(cache.making).toBe(4);
    first[0]?.fail(new Error('refused'));
    first[1]?.finish(page('new'));
    await ended();
    expect(began()).toHaveLength(2);
    expect(cache.making).toBe(4);
    expect(keys.map(key => shown(key))).toEqual(['old', 'new', ...Array(7).fill('old')]);
  });

  it('that waited is not begun any more when somebody has had the page made meanwhile', async () => {
    const { clock, store, page, make, renew, began } = startCache();
    for (const key of ['a', 'b', 'c', 'd', 'e']) await store('old', {}, key);
    clock.ms += TTL_MS;
    for (const key of ['a', 'b', 'c', 'd', 'e']) renew(key);
    await ended();
    const first = began();
    const made = make('e');
    await ended();
    began()[0]?.finish(page('new'));
    await made;
    for (const making of first) making.finish(page('new'));
    await ended();
    expect(began()).toEqual([]);
  });

  it('of one page that failed says nothing of another', async () => {
    const { clock, renew, began, store } = startCache();
    await store('one', {}, 'a');
    await store('one', {}, 'b');
    clock.ms += TTL_MS;
    renew('a');
    began()[0]?.fail(new Error('broken'));
    await ended();
    renew('b');
    expect(began()).toHaveLength(1);
  });

  it('is not begun, and not waited for, while the backend may not be asked', async () => {
    let mayRenew = false;
    const { cache, clock, renew, began, store } = startCache({ mayRenew: () => mayRenew });
    await store('one');
    clock.ms += 20 * TTL_MS;
    renew();
    expect(began()).toHaveLength(0);
    expect(cache.find('a')).toMatchObject({ waitMs: 0 });
    mayRenew = true;
    expect(cache.find('a')).toMatchObject({ waitMs: 300 });
    renew();
    expect(began()).toHaveLength(1);
  });

  it('from content that could not be had anew is kept, and not repeated within a second', async () => {
    const { cache, clock, page, renew, began, shown, store } = startCache();
    await store('one');
    clock.ms += 20 * TTL_MS;
    renew();
    began()[0]?.finish({ ...page('one, half new', { madeAt: START }), hasStandIns: true });
    await ended();
    expect(shown()).toBe('one, half new');
    expect(cache.find('a')).toMatchObject({ ttlMs: -19 * TTL_MS, waitMs: 0 });
    renew();
    expect(began()).toHaveLength(0);
    clock.ms += 1_000;
    renew();
    expect(began()).toHaveLength(1);
  });

  it('that is a makeshift replaces nothing, in memory or on the disk', async () => {
    const { clock, files, page, renew, began, shown, store, trace } = startCache();
    await store('one');
    clock.ms += TTL_MS;
    renew();
    began()[0]?.finish({ ...page('makeshift'), shelf: null });
    await ended();
    expect(shown()).toBe('one');
    expect(textOf(files.get('a'))).toBe('one');
    expect(trace()).toEqual([]);
    renew();
    expect(began()).toHaveLength(0);
  });

  it('that changes nothing, again and again, does not let the file grow old', async () => {
    const { clock, files, store } = startCache();
    const ages: number[] = [];
    for (let time = 0; time < 40; time += 1) {
      await store('same');
      ages.push(clock.ms - (files.get('a')?.madeAt ?? 0));
      clock.ms += STALE_IF_ERROR_MS / 100;
    }
    expect(Math.max(...ages)).toBeLessThanOrEqual(STALE_IF_ERROR_MS / 10);
    // Written four times, not forty.
    expect(ages.filter(age => age === 0)).toHaveLength(4);
  });

  it('that changes nothing keeps the etag and spares the disk, but not for ever', async () => {
    const { clock, files, page, renew, began, store } = startCache();
    await store('one');
    clock.ms += TTL_MS;
    renew();
    began()[0]?.finish(page('one'));
    await ended();
    expect(files.get('a')?.madeAt).toBe(START);
    clock.ms += STALE_IF_ERROR_MS / 5;
    renew();
    began()[0]?.finish(page('one'));
    await ended();
    expect(files.get('a')?.madeAt).toBe(clock.ms);
  });
});

describe('what replaces a page', () => {
  it('is a real 404, on the disk too', async () => {
    const { clock, files, page, renew, began, cache, store, trace } = startCache();
    await store('one');
    clock.ms += TTL_MS;
    renew();
    began()[0]?.finish(page('gone', { status: 404, about: null }));
    await ended();
    expect(cache.find('a')?.page.status).toBe(404);
    expect(cache.size.pages.entries).toBe(0);
    expect(files.size).toBe(0);
    expect(trace()).toEqual(['dropped a']);
  });

  it('is a redirect: then nothing is stored', async () => {
    const { clock, files, renew, began, cache, store, trace } = startCache();
    await store('one');
    clock.ms += TTL_MS;
    renew();
    began()[0]?.finish({ shelf: null });
    await ended();
    expect(cache.find('a')).toBeNull();
    expect(files.size).toBe(0);
    expect(trace()).toEqual(['dropped a']);
  });
});

describe('a miss', () => {
  it('of a thousand at the same time makes one page', async () => {
    const { cache, page, make, began } = startCache();
    const waiting = Array.from({ length: 1_000 }, () => make());
    const makings = began();
    expect(makings).toHaveLength(1);
    expect(cache.making).toBe(1);
    makings[0]?.finish(page('one'));
    expect(new Set(await Promise.all(waiting)).size).toBe(1);
    expect(cache.making).toBe(0);
  });

  it('whose visitors have all gone is aborted, and what still comes of it is not stored', async () => {
    const { cache, page, make, began, shown, trace } = startCache();
    const visitors = [new AbortController(), new AbortController()];
    const waiting = visitors.map(({ signal }) => make('a', signal));
    const [making] = began();
    visitors[0]?.abort(new Error('gone'));
    await expect(waiting[0]).rejects.toThrow('gone');
    expect(making?.signal.aborted).toBe(false);
    visitors[1]?.abort(new Error('gone'));
    await expect(waiting[1]).rejects.toThrow('gone');
    expect(making?.signal.aborted).toBe(true);
    expect(cache.making).toBe(0);

    const next = make();
    began()[0]?.finish(page('new'));
    await next;
    making?.finish(page('late'));
    await ended();
    expect(shown()).toBe('new');
    expect(trace()).toEqual(['stored a']);
  });

  it('that fails stores nothing, and is no failed renewal', async () => {
    const { cache, page, make, began, trace, shown } = startCache();
    const waiting = make();
    began()[0]?.fail(new Error('down'));
    await expect(waiting).rejects.toThrow('down');
    expect(cache.size.pages.entries).toBe(0);
    expect(trace()).toEqual([]);
    const next = make();
    began()[0]?.finish(page('one'));
    await next;
    expect(shown()).toBe('one');
  });
});

describe('a purge', () => {
  it('makes a page stale at once, and its next visitor wait up to a second', async () => {
    const { cache, clock, purge, store } = startCache();
    await store('one');
    clock.ms += 10;
    purge('settings');
    expect(cache.find('a')).toMatchObject({ ttlMs: -1, waitMs: 1_000 });
  });

  it('leaves a page that it does not concern', async () => {
    const { cache, purge, store } = startCache();
    await store('one');
    purge('pages:2', true);
    expect(cache.find('a')).toMatchObject({ ttlMs: TTL_MS });
  });

  it('of what a page is about drops the page', async () => {
    const { cache, files, purge, store, trace } = startCache();
    await store('one');
    purge('pages:1', true);
    expect(cache.find('a')).toBeNull();
    expect(files.size).toBe(0);
    expect(trace()).toEqual(['dropped a']);
  });

  it('of something that has gone leaves the pages that only showed it', async () => {
    const { cache, purge, store } = startCache();
    await store('list', { about: null });
    purge('pages:1', true);
    expect(cache.find('a')).toMatchObject({ ttlMs: -1, waitMs: 1_000 });
  });

  it('while a page is made keeps it from being stored', async () => {
    const { cache, page, make, began, purge, trace } = startCache();
    const waiting = make();
    purge('settings');
    began()[0]?.finish(page('old'));
    expect(textOf(((await waiting) as Produced).page)).toBe('old');
    expect(cache.find('a')).toBeNull();
    expect(trace()).toEqual(['outdated a']);
  });

  it('while a page is made has no part in what it does not concern', async () => {
    const { page, make, began, purge, shown } = startCache();
    const waiting = make();
    purge('pages:2');
    began()[0]?.finish(page('good'));
    await waiting;
    expect(shown()).toBe('good');
  });

  it('is not answered with a page that was begun before it', async () => {
    const { page, make, began, purge, shown, trace } = startCache();
    const early = make();
    purge('pages:1');
    const late = make();
    const makings = began();
    expect(makings).toHaveLength(1);
    makings[0]?.finish(page('old'));
    expect(textOf(((await early) as Produced).page)).toBe('old');
    await ended();
    began()[0]?.finish(page('new'));
    expect(textOf(((await late) as Produced).page)).toBe('new');
    expect(shown()).toBe('new');
    expect(trace()).toEqual(['outdated a', 'stored a']);
  });

  it('opens a page for renewal that has just failed to be', async () => {
    const { cache, clock, renew, began, purge, store } = startCache();
    await store('one');
    clock.ms += TTL_MS;
    renew();
    began()[0]?.fail(new Error('down'));
    await ended();
    purge('pages:1');
    expect(cache.find('a')).toMatchObject({ waitMs: 1_000 });
    renew();
    expect(began()).toHaveLength(1);
  });

  it('is not forgotten by a page made from content that could not be had anew', async () => {
    const { cache, page, renew, began, purge, store } = startCache();
    await store('one');
    purge('pages:1');
    renew();
    began()[0]?.finish({ ...page('one', { madeAt: START, purged: true }), hasStandIns: true });
    await ended();
    expect(cache.find('a')?.ttlMs).toBeLessThan(0);
  });

  it('of everything makes everything stale, and forgets what did not exist', async () => {
    const { cache, store } = startCache();
    await store('one');
    await store('gone', { status: 404, about: null }, 'b');
    cache.purgeAll();
    expect(cache.find('a')).toMatchObject({ ttlMs: -1 });
    expect(cache.find('b')).toBeNull();
  });
});

describe('a page that does not exist', () => {
  it('is remembered for ten seconds, and never stale', async () => {
    const { cache, clock, store } = startCache();
    await store('gone', { status: 404, about: null });
    clock.ms += 9_999;
    expect(cache.find('a')?.page.status).toBe(404);
    clock.ms += 1;
    expect(cache.find('a')).toBeNull();
  });

  it('is remembered as long from when it was found missing, but not beyond the time of what was read', async () => {
    const { cache, clock, store } = startCache();
    await store('gone', { status: 404, about: null, madeAt: START - 30_000 }, 'a');
    await store('gone', { status: 404, about: null, madeAt: START - TTL_MS + 4_000 }, 'b');
    clock.ms += 3_999;
    expect([cache.find('a')?.page.status, cache.find('b')?.page.status]).toEqual([404, 404]);
    clock.ms += 1;
    expect([cache.find('a')?.page.status, cache.find('b')]).toEqual([404, null]);
    clock.ms += 6_000;
    expect(cache.find('a')).toBeNull();
  });

  it('is forgotten when something like it is published', async () => {
    const { cache, purge, store } = startCache();
    await store('gone', { status: 404, about: null, tags: ['pages'] }, 'a');
    await store('gone', { status: 404, about: null, tags: ['articles'] }, 'b');
    purge('pages');
    expect([cache.find('a'), cache.find('b')?.page.status]).toEqual([null, 404]);
  });

  it('gives way to one that does', async () => {
    const { cache, page, make, began, shown, store } = startCache();
    await store('gone', { status: 404, about: null });
    const waiting = make();
    began()[0]?.finish(page('here'));
    await waiting;
    expect(shown()).toBe('here');
    expect(cache.size.absent.entries).toBe(0);
  });

  it('never pushes out one that does, and there are not too many of them', async () => {
    const { cache, store, shown } = startCache();
    await store('one');
    for (let index = 0; index < 300; index++) {
      await store('gone', { status: 404, about: null, bytes: 50_000 }, `missing-${index}`);
      expect(cache.size.absent.bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
    }
    expect(cache.size.absent.entries).toBeGreaterThan(100);
    expect(shown()).toBe('one');
  });
});

describe('the bound in bytes', () => {
  it('evicts what was asked for longest ago, and tells of it', async () => {
    const { cache, store, trace } = startCache({ maxBytes: 1_010 });
    for (const key of '0123456789') await store('page', {}, key);
    cache.find('0');
    await cache.make('x', async () => storedPage('page', { madeAt: START }));
    expect(trace()).toEqual(['evicted 1', 'stored x']);
    expect(cache.size.pages).toEqual({ bytes: 1_010, entries: 10 });
  });

  it('counts the real bytes of a page', async () => {
    const body = Buffer.from('<p>something</p>'.repeat(5_000));
    const page = await makeStoredPage(
      {
        ...{ status: 200, route: 'page', tags: ['pages:1'], about: null, madeAt: 0, purged: false },
        body,
        headers: ['Content-Type', 'text/html'],
      },
      'br',
    );
    const weight = () => (page.bodies.br?.byteLength ?? 0) + (page.bodies.gzip?.byteLength ?? 0);
    const first = weight();
    expect(page.bytes - first).toBeGreaterThan(0);
    expect(page.bytes - first).toBeLessThan(200);
    await complete(page);
    expect(weight(), 'the other encoding').toBeGreaterThan(first);
    expect(page.bytes - weight()).toBeGreaterThan(0);
    expect(page.bytes - weight()).toBeLessThan(200);
    expect(page.identityBytes).toBe(body.byteLength);
  });

  it('counts the encoding that comes later, when it is there', async () => {
    const done = new Map<string, () => void>();
    const begun: string[] = [];
    const { cache, store } = startCache({
      async complete(page) {
        const name = page.bodies.br?.toString() ?? '';
        begun.push(name);
        await new Promise<void>(resolve => done.set(name, resolve));
        page.bodies.gzip = Buffer.alloc(0);
        page.bytes = 300;
      },
    });
    const half = (text: string) => ({ bodies: { br: Buffer.from(text), gzip: null } });
    await store('one', half('one'), 'a');
    await store('gone', half('gone'), 'b');
    await store('other', {}, 'b');
    await store('two', half('two'), 'c');
    await ended();
    expect(begun, 'one at a time').toEqual(['one']);
    expect(cache.size.pages).toEqual({ bytes: 303, entries: 3 });
    done.get('one')?.();
    await ended();
    expect(begun, 'and not what was replaced meanwhile').toEqual(['one', 'two']);
    expect(cache.size.pages.bytes).toBe(503);
    done.get('two')?.();
    await ended();
    expect(cache.size.pages).toEqual({ bytes: 703, entries: 3 });
    cache.purge('settings', false);
    expect(cache.find('a')?.page.purged, 'its tags are known as before').toBe(true);
  });

  it('makes that encoding when nobody waits for a page any more, and counts one that somebody has had made', async () => {
    const begun: string[] = [];
    const { cache, store } = startCache({
      async complete(page) {
        begun.push(page.bodies.br?.toString() ?? '');
        page.bodies.gzip = Buffer.alloc(0);
        page.bytes = 300;
      },
    });
    const half = (text: string) => ({ bodies: { br: Buffer.from(text), gzip: null } });
    const slow = Promise.withResolvers<{ shelf: null }>();
    const waiting = cache.make('slow', () => slow.promise);
    await store('one', half('one'), 'a');
    await store('two', half('two'), 'b');
    await ended();
    expect(begun).toEqual([]);
    const asked = cache.find('b')?.page;
    if (!asked) throw new Error('It was stored');
    Object.assign(asked.bodies, { gzip: Buffer.alloc(0) });
    asked.bytes = 300;
    slow.resolve({ shelf: null });
    await waiting;
    await ended();
    expect(begun).toEqual(['one']);
    expect(cache.size.pages).toEqual({ bytes: 602, entries: 2 });
  });

  it('does not evict from the disk: it has a bound of its own', async () => {
    const { files, store } = startCache({ maxBytes: 250 });
    for (const key of 'abcd') await store('page', {}, key);
    expect([...files.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('the disk', () => {
  it('brings back what memory does not have, once', async () => {
    const first = startCache();
    await first.store('one');
    const { cache, files, trace } = startCache();
    files.set('a', first.files.get('a') ?? expect.fail('nothing on the disk'));
    expect(cache.find('a')).toBeNull();
    expect(textOf((await cache.recall('a'))?.page)).toBe('one');
    await cache.recall('a');
    expect(trace()).toEqual(['recalled a']);
    expect(textOf(cache.find('a')?.page)).toBe('one');
  });

  it('is not asked for what somebody has made while it was read', async () => {
    const { files, disk } = startDisk();
    const reads: (() => void)[] = [];
    const slow: LastGood<StoredPage> = {
      ...disk,
      read: key => new Promise(resolve => reads.push(() => resolve(files.get(key) ?? null))),
    };
    const { cache, store, trace } = startCache({ lastGood: slow });
    const recalled = cache.recall('a');
    await store('new');
    files.clear();
    for (const read of reads) read();
    expect(textOf((await recalled)?.page)).toBe('new');
    expect(trace()).toEqual([]);
  });

  it('has nothing for a page it never had, or one too old', async () => {
    const { cache, clock, files, page } = startCache();
    expect(await cache.recall('a')).toBeNull();
    files.set('a', page('one').page);
    clock.ms += TTL_MS + STALE_IF_ERROR_MS;
    expect(await cache.recall('a')).toBeNull();
  });

  it('does not bring back what has gone, and knows what was purged', async () => {
    const { cache, clock, files, page, purge } = startCache();
    files.set('gone', page('one').page);
    files.set('purged', page('two', { about: 'pages:2', tags: ['pages:2', 'settings'] }).page);
    files.set('other', page('three', { about: 'pages:3', tags: ['pages:3'] }).page);
    clock.ms += 10;
    purge('pages:1', true);
    purge('settings');
    expect(await cache.recall('gone')).toBeNull();
    expect(await cache.recall('purged')).toMatchObject({ ttlMs: -1 });
    expect((await cache.recall('other'))?.ttlMs).toBe(TTL_MS - 10);
  });

  it('keeps its hands off what memory has', async () => {
    const { cache, files, page, store, trace } = startCache();
    await store('new');
    files.set('a', page('old').page);
    expect(textOf((await cache.recall('a'))?.page)).toBe('new');
    expect(trace()).toEqual([]);
  });
});

describe('the runway', () => {
  it('is the time until the first page may not be served any more', async () => {
    const { cache, clock, store } = startCache();
    expect(cache.runwayMs()).toBeNull();
    await store('one', {}, 'a');
    clock.ms += 5_000;
    await store('two', {}, 'b');
    expect(cache.runwayMs()).toBe(TTL_MS + STALE_IF_ERROR_MS - 5_000);
    await store('one', {}, 'a');
    expect(cache.runwayMs()).toBe(TTL_MS + STALE_IF_ERROR_MS);
    clock.ms += TTL_MS + STALE_IF_ERROR_MS + 1;
    expect(cache.runwayMs()).toBe(-1);
  });
});
