import type { LastGood } from '../cache/last-good.ts';
import type { Purges } from '../cache/purges.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { TaggedStore } from '../cache/tagged-store.ts';
import { SiteBusyError } from '../errors.ts';
import type { Shelf } from './storable.ts';
import { isWhole, type StoredPage } from './stored-page.ts';

/** What the cache did, for metrics and for tests that assert the trace. */
export type PageCacheEvent =
  | { kind: 'stored' | 'evicted' | 'absent-evicted' | 'recalled' | 'dropped'; key: string }
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
  /** Whether the backend may be asked now; while it may not, stale pages are served without a thought of renewing them. */
  mayRenew?: () => boolean;
  /** Whether the backend answers, as far as is known: while it does not, nobody waits for an old page's renewal. */
  isBackendUp?: () => boolean;
  /** Compresses a page in the encoding that it lacks. */
  complete?: (page: StoredPage) => Promise<void>;
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
  /** Something in it is older than it should be because the backend failed. */
  hasStandIns?: boolean;
}

/** The address leads elsewhere: there is nothing to store. */
export interface Elsewhere {
  shelf: null;
}

export interface PageCache {
  /** @returns what is stored in memory and usable. */
  find(key: string): Found | null;
  /** The same, from the disk if memory has none. */
  recall(key: string): Promise<Found | null>;
  /**
   * Makes a page, once for all who ask at the same time, and stores it.
   *
   * @param produce its signal is aborted when the last one who waits has gone.
   * @param signal the waiting visitor's.
   */
  make<T extends Produced | Elsewhere>(
    key: string,
    produce: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** Makes a page behind an answer that is out already; not again at once when it fails. */
  renew(key: string, produce: (signal: AbortSignal) => Promise<Produced | Elsewhere>): void;
  purge(tag: string, dropped: boolean): void;
  purgeAll(): void;
  readonly size: { pages: { bytes: number; entries: number }; absent: { bytes: number; entries: number } };
  readonly making: number;
  entries(): IterableIterator<[string, StoredPage]>;
  /** Time until the first of the stored pages may not be served any more, in ms; null when there is none. */
  runwayMs(): number | null;
}

/** When a page was begun, by the clock in ms and among the purges. */
interface Begun {
  at: number;
  mark: number;
}

/** Pages that do not exist: a bounded part of their own, so that they cannot push a real one out. */
const MAX_ABSENT_BYTES = 8 * 1024 * 1024;
const ABSENT_TTL_MS = 10_000;
/** A page much older than its time to live is not worth showing if a fresh one can be had this soon. */
const OLD_TTLS = 10;
const OLD_WAIT_MS = 300;
/** A file is written again when it has used up this part of its life. */
const OLD_FILE = 10;
/** After a purge an editor looks for the change: visitors wait this long for it. */
const PURGED_WAIT_MS = 1_000;
/** A renewal that failed is not tried again for this long, in ms. */
const RENEW_AGAIN_MS = 1_000;
/** Stale pages renewed at a time: nobody waits for them, and visitors wait for what else the process does. */
const RENEWALS_AT_ONCE = 4;

/** @returns an empty cache of rendered pages. */
export function createPageCache(options: PageCacheOptions): PageCache {
  const { maxBytes, ttlMs, staleIfErrorMs, purges, lastGood, now = Date.now } = options;
  const { onEvent = () => {}, mayRenew = () => true, isBackendUp = () => true } = options;
  const { complete = async () => {} } = options;
  const pages = new TaggedStore<StoredPage>({ maxBytes, onEvict: key => onEvent({ kind: 'evicted', key }) });
  const absent = new TaggedStore<StoredPage>({
    maxBytes: MAX_ABSENT_BYTES,
    onEvict: key => onEvent({ kind: 'absent-evicted', key }),
  });
  const flights = new SingleFlight();
  const failedAt = new Map<string, number>();
  /** How old the files of stored pages are: when their content was true, in ms. */
  const writtenAt = new WeakMap<StoredPage, number>();
  /** Waiting for their turn. */
  const renewals = new Map<string, (signal: AbortSignal) => Promise<Produced | Elsewhere>>();
  let renewing = 0;
  const absentTtlMs = Math.min(ABSENT_TTL_MS, ttlMs);
  /** The keys of pages that wait for their other encoding. */
  const incomplete = new Set<string>();
  let isCompleting = false;

  function completeBehind(key: string, page: StoredPage): void {
    if (isWhole(page)) return;
    incomplete.add(key);
    if (!isCompleting) void completeAll();
  }

  /** One at a time, and while no page is in the making: somebody waits for that. */
  async function completeAll(): Promise<void> {
    isCompleting = true;
    for (const key of incomplete) {
      await flights.idle();
      incomplete.delete(key);
      const page = pages.peek(key);
      if (!page) continue;
      // Somebody may have asked for that encoding already; who does so hears what went wrong.
      if (!isWhole(page)) await complete(page).catch(() => {});
      pages.reweigh(key, page);
    }
    isCompleting = false;
  }

  /** After a failure a page is left as it is for a moment: to try again at once would be to fail again. */
  const isRenewable = (key: string) =>
    mayRenew() && now() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= RENEW_AGAIN_MS;

  function failed(key: string): void {
    if (failedAt.size > 10_000) failedAt.clear();
    failedAt.set(key, now());
  }

  function usable(key: string, page: StoredPage | undefined, lifeMs: number): Found | null {
    if (!page) return null;
    const age = now() - page.madeAt;
    if (age >= lifeMs + staleIfErrorMs) return null;
    const ttl = page.purged ? Math.min(lifeMs - age, -1) : lifeMs - age;
    const isOld = age > lifeMs * OLD_TTLS && isBackendUp();
    const waitMs = page.purged ? PURGED_WAIT_MS : isOld ? OLD_WAIT_MS : 0;
    return { page, ttlMs: ttl, waitMs: ttl > 0 || !isRenewable(key) ? 0 : waitMs };
  }

  function find(key: string): Found | null {
    const found = usable(key, pages.get(key), ttlMs);
    if (found) return found;
    // What did not exist a moment ago is asked for again: there is no stale 404.
    const missing = usable(key, absent.get(key), absentTtlMs);
    return missing && missing.ttlMs > 0 ? missing : null;
  }

  function keep(key: string, page: StoredPage, shelf: Shelf, begun: Begun): void {
    if (maxBytes === 0) return;
    if (purges.after(page.tags, begun.mark)) {
      onEvent({ kind: 'outdated', key });
      return;
    }
    if (shelf === 'absent') {
      drop(key);
      // Its time begins now, however long ago its content was read, and ends with that of its content.
      const madeAt = Math.min(begun.at, page.madeAt + ttlMs - absentTtlMs);
      absent.set(key, { ...page, madeAt });
      return;
    }
    absent.delete(key);
    const before = pages.peek(key);
    pages.set(key, page);
    onEvent({ kind: 'stored', key });
    completeBehind(key, page);
    // A renewal that changed nothing need not wear the disk out, unless the file has grown old.
    const written = before?.etag === page.etag ? writtenAt.get(before) : undefined;
    const isWrittenAnew = written === undefined || page.madeAt - written > staleIfErrorMs / OLD_FILE;
    if (isWrittenAnew) lastGood?.write(key, page);
    writtenAt.set(page, isWrittenAnew ? page.madeAt : written);
  }

  function drop(key: string): void {
    if (!pages.peek(key)) return;
    pages.delete(key);
    lastGood?.remove(key);
    onEvent({ kind: 'dropped', key });
  }

  /** First come, first served. */
  function startRenewals(): void {
    for (const [key, produce] of renewals) {
      if (renewing >= RENEWALS_AT_ONCE) return;
      renewals.delete(key);
      if (flights.has(key) || !isRenewable(key) || (find(key)?.ttlMs ?? 1) > 0) continue;
      renewing += 1;
      make(key, produce)
        // Who hears of a failure hears of it by the event.
        .catch(() => {})
        .finally(() => {
          renewing -= 1;
          startRenewals();
        });
    }
  }

  async function make<T extends Produced | Elsewhere>(
    key: string,
    produce: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const asked = purges.mark();
    for (;;) {
      const { produced, begun } = await flights.run(key, own => fly(key, produce, own), signal);
      const tags = 'page' in produced ? produced.page.tags : [];
      // What was begun before a purge is no answer to one who asked after it.
      if (!purges.after(tags, begun.mark) || purges.after(tags, asked)) return produced;
    }
  }

  async function fly<T extends Produced | Elsewhere>(
    key: string,
    produce: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ produced: T; begun: Begun }> {
    const begun = { at: now(), mark: purges.mark() };
    try {
      const produced = await produce(signal);
      // Whoever gave up may have asked anew: what comes late all the same is not to replace that one's.
      if (!signal.aborted) take(key, produced, begun);
      return { produced, begun };
    } catch (error) {
      // That there was no place for it says nothing of the page: the next visit may find one.
      if (!signal.aborted && !(error instanceof SiteBusyError) && pages.peek(key)) {
        failed(key);
        onEvent({ kind: 'renewal-failed', key, error });
      }
      throw error;
    }
  }

  function take(key: string, produced: Produced | Elsewhere, begun: Begun): void {
    failedAt.delete(key);
    // The address leads elsewhere now: what was stored for it is no answer any more.
    if (!('page' in produced)) drop(key);
    // A page that lacks something is good for this answer, and for replacing nothing.
    else if (produced.shelf === null) failed(key);
    else {
      keep(key, produced.page, produced.shelf, begun);
      if (produced.hasStandIns) failed(key);
    }
  }

  return {
    find,
    make,

    async recall(key) {
      const found = find(key);
      if (found || !lastGood) return found;
      const page = await lastGood.read(key);
      // Others asked at the same time, and one of them may have made it meanwhile.
      const made = find(key);
      if (made) return made;
      if (!page || (page.about !== null && purges.droppedSince([page.about], page.madeAt))) return null;
      const recalled = { ...page, purged: page.purged || purges.since(page.tags, page.madeAt) };
      pages.set(key, recalled);
      completeBehind(key, recalled);
      onEvent({ kind: 'recalled', key });
      return find(key);
    },

    renew(key, produce) {
      if (flights.has(key) || !isRenewable(key)) return;
      if (!renewals.has(key)) renewals.set(key, produce);
      startRenewals();
    },

    purge(tag, dropped) {
      failedAt.clear();
      for (const key of pages.purge(tag, dropped)) {
        lastGood?.remove(key);
        onEvent({ kind: 'dropped', key });
      }
      for (const key of absentKeys(tag)) absent.delete(key);
    },

    purgeAll() {
      failedAt.clear();
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
