import type { LastGood } from '../cache/last-good.ts';
import type { Purges } from '../cache/purges.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { TaggedStore } from '../cache/tagged-store.ts';
import type { Shelf } from './storable.ts';
import type { StoredPage } from './stored-page.ts';

/** What the cache did, for metrics and for tests that assert the trace. */
export type PageCacheEvent =
  | { kind: 'stored' | 'evicted' | 'recalled' | 'dropped'; key: string }
  /** Something that it was made from was purged while it was made. */
  | { kind: 'outdated'; key: string }
  | { kind: 'renewal-failed'; key: string; error: unknown };

export interface PageCacheOptions {
  maxBytes: number;
  /** How long a page is fresh, in ms. */
  ttlMs: number;
  /** How long after that it may be served while the backend fails, in ms. */
  staleIfErrorMs: number;
  purges: Purges;
  lastGood?: LastGood<StoredPage>;
  onEvent?: (event: PageCacheEvent) => void;
  /** The clock, in ms. */
  now?: () => number;
}

/** A stored page, as a request finds it. */
export interface Found {
  page: StoredPage;
  /** Left of its freshness in ms; negative when it is stale. */
  ttlMs: number;
  /** How long a visitor is to wait for a fresh one before this is served, in ms; 0: not at all. */
  waitMs: number;
}

/** A page that was made anew. */
export interface Produced {
  page: StoredPage;
  shelf: Shelf | null;
}

export interface PageCache {
  /** @returns what is stored in memory and usable. */
  find(key: string): Found | null;
  /** The same, from the disk if memory has none. */
  recall(key: string): Promise<Found | null>;
  /**
   * Makes a page, once for all who ask at the same time, and stores it.
   *
   * @param produce its signal is aborted when the last one who waits has gone. Null: the address leads elsewhere now.
   * @param signal the waiting visitor's.
   */
  make<T extends Produced | { shelf: null }>(
    key: string,
    produce: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** Makes a page behind an answer that is out already; not again at once when it fails. */
  renew(key: string, produce: (signal: AbortSignal) => Promise<Produced | { shelf: null }>): void;
  purge(tag: string, dropped: boolean): void;
  purgeAll(): void;
  readonly size: { pages: { bytes: number; entries: number }; absent: { bytes: number; entries: number } };
  readonly making: number;
  entries(): IterableIterator<[string, StoredPage]>;
  /** Time until the first of the stored pages may not be served any more, in ms; null when there is none. */
  runwayMs(): number | null;
}

/** Pages that do not exist: a bounded part of their own, so that they cannot push a real one out. */
const MAX_ABSENT_BYTES = 8 * 1024 * 1024;
const ABSENT_TTL_MS = 10_000;
/** A page much older than its time to live is not worth showing if a fresh one can be had this soon. */
const OLD_TTLS = 10;
const OLD_WAIT_MS = 300;
/** After a purge an editor looks for the change: visitors wait this long for it. */
const PURGED_WAIT_MS = 1_000;
/** A renewal that failed is not tried again for this long, in ms. */
const RENEW_AGAIN_MS = 1_000;

/** @returns an empty cache of rendered pages. */
export function createPageCache(options: PageCacheOptions): PageCache {
  const { maxBytes, ttlMs, staleIfErrorMs, purges, lastGood, onEvent = () => {}, now = Date.now } = options;
  const pages = new TaggedStore<StoredPage>({ maxBytes, onEvict: key => onEvent({ kind: 'evicted', key }) });
  const absent = new TaggedStore<StoredPage>({ maxBytes: MAX_ABSENT_BYTES });
  const flights = new SingleFlight();
  const failedAt = new Map<string, number>();

  function usable(page: StoredPage | undefined, lifeMs: number): Found | null {
    if (!page) return null;
    const age = now() - page.madeAt;
    if (age >= lifeMs + staleIfErrorMs) return null;
    const ttl = page.purged ? Math.min(lifeMs - age, -1) : lifeMs - age;
    const waitMs = ttl > 0 ? 0 : page.purged ? PURGED_WAIT_MS : age > lifeMs * OLD_TTLS ? OLD_WAIT_MS : 0;
    return { page, ttlMs: ttl, waitMs };
  }

  function find(key: string): Found | null {
    const found = usable(pages.get(key), ttlMs);
    if (found) return found;
    // What did not exist a moment ago is asked for again: there is no stale 404.
    const missing = usable(absent.get(key), Math.min(ABSENT_TTL_MS, ttlMs));
    return missing && missing.ttlMs > 0 ? missing : null;
  }

  function keep(key: string, page: StoredPage, shelf: Shelf, startedAt: number): void {
    if (purges.since(page.tags, startedAt)) {
      onEvent({ kind: 'outdated', key });
      return;
    }
    if (shelf === 'absent') {
      drop(key);
      absent.set(key, page);
      return;
    }
    absent.delete(key);
    const before = pages.peek(key);
    pages.set(key, page);
    onEvent({ kind: 'stored', key });
    // A renewal that changed nothing need not wear the disk out, unless the file would grow too old by it.
    if (!before || before.etag !== page.etag || page.madeAt - before.madeAt > staleIfErrorMs / OLD_TTLS)
      lastGood?.write(key, page);
  }

  function drop(key: string): void {
    if (!pages.peek(key)) return;
    pages.delete(key);
    lastGood?.remove(key);
    onEvent({ kind: 'dropped', key });
  }

  async function make<T extends Produced | { shelf: null }>(
    key: string,
    produce: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return flights.run(
      key,
      async own => {
        const startedAt = now();
        const produced = await produce(own);
        if ('page' in produced && produced.shelf) keep(key, produced.page, produced.shelf, startedAt);
        // The address leads elsewhere now: what was stored for it is no answer any more.
        else drop(key);
        failedAt.delete(key);
        return produced;
      },
      signal,
    );
  }

  return {
    find,
    make,

    async recall(key) {
      const found = find(key);
      if (found || !lastGood) return found;
      const page = await lastGood.read(key);
      if (!page || (page.about !== null && purges.droppedSince([page.about], page.madeAt))) return null;
      const recalled = { ...page, purged: page.purged || purges.since(page.tags, page.madeAt) };
      if (!pages.peek(key)) {
        pages.set(key, recalled);
        onEvent({ kind: 'recalled', key });
      }
      return find(key);
    },

    renew(key, produce) {
      if (flights.has(key) || now() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < RENEW_AGAIN_MS)
        return;
      make(key, produce).catch((error: unknown) => {
        if (failedAt.size > 10_000) failedAt.clear();
        failedAt.set(key, now());
        onEvent({ kind: 'renewal-failed', key, error });
      });
    },

    purge(tag, dropped) {
      for (const key of pages.purge(tag, dropped)) {
        lastGood?.remove(key);
        onEvent({ kind: 'dropped', key });
      }
      for (const key of absentKeys(tag)) absent.delete(key);
    },

    purgeAll() {
      pages.purgeAll();
      for (const [key] of [...absent.entries()]) absent.delete(key);
    },

    get size() {
      return { pages: pages.size, absent: absent.size };
    },
    get making() {
      return flights.size;
    },
    entries: () => pages.entries(),
    runwayMs() {
      let oldest = Number.POSITIVE_INFINITY;
      for (const [, { madeAt }] of pages.entries()) oldest = Math.min(oldest, madeAt);
      return oldest === Number.POSITIVE_INFINITY ? null : oldest + ttlMs + staleIfErrorMs - now();
    },
  };

  /** A purge makes a 404 worthless rather than stale: what it is about may exist now. */
  function absentKeys(tag: string): string[] {
    absent.purge(tag, false);
    return [...absent.entries()].filter(([, page]) => page.purged).map(([key]) => key);
  }
}
