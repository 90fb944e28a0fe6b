import { type DiskHealth, UNWATCHED } from '../cache/disk-health.ts';
import type { Invalidatable } from '../cache/invalidation.ts';
import { namesAbove, parseTag } from '../cache/tags.ts';
import type { ContentSource } from '../content/collecting-reader.ts';
import type { ContentCache, ReadOptions } from '../content/content-cache.ts';
import { namedIds } from '../content/content-tags.ts';
import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import type { SpareTime } from '../ops/spare-time.ts';
import { ownTurn } from '../ops/turns.ts';
import type { SearchThread } from './search-thread.ts';
import { SEARCHED_TYPES, type SearchedType } from './search-types.ts';
import type { RowsPlace, SearchableRows } from './searchable-rows.ts';

/** Rows that the index takes at a time. Queries of visitors come between them. */
const ROWS_AT_A_TIME = 20;
/** The longest time for one call of the backend, in ms. */
const CALL_MS = 20_000;
/** Changes that come within this time are read together, in ms. */
const GATHER_MS = 20;
/** The pause after a reading that has failed, in ms. */
const RETRY_MS = 15_000;
/** The pause while the backend cannot be asked, in ms. */
const WAIT_MS = 1_000;
const EVERYTHING = '*';

/** Keeps the index as the content is. */
export interface IndexFeeder extends Pick<Invalidatable, 'invalidate' | 'remove' | 'expireAll'> {
  /**
   * Begins to read what has changed since the index was written, and all of it for a new index. Called again, it looks for what the index lacks.
   *
   * @param afterMs how long the reading waits, unless a change or `hurry` comes before.
   */
  begin(afterMs?: number): void;
  /** Ends the wait of `begin`. */
  hurry(): void;
  /** Whether the wait of `begin` is not over. */
  readonly isWaiting: boolean;
  /** Whether the index is new and does not have all entries yet, or more entries are being read than one call brings. */
  readonly isReading: boolean;
  stop(): void;
}

export interface IndexFeederOptions {
  thread: SearchThread;
  rows: SearchableRows;
  /** Reads the rows, and shares them with other processes. It keeps next to nothing in memory. */
  cache: Pick<ContentCache, 'read' | 'invalidate' | 'remove' | 'expireAll'>;
  content: Pick<ContentSource, 'api' | 'cache' | 'ask'>;
  /** Whether the backend can be asked now. */
  mayAsk: () => boolean;
  spareTime: SpareTime;
  /** Called when the index has changed. */
  onChange: () => void;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
  retryMs?: number | undefined;
}

/** Content that has to be read again: a type of entries, or the names that entries show. */
type Due = SearchedType | 'names';

/** The types whose names entries show. */
const NAMES: readonly string[] = ['categories', 'authors', 'tags'];

/**
 * The backend sorts by the time of the last change, so one reading serves a new index, a restart and an event: the rows since the last one that
 * the index has. Removals of which no event has told are found by the number of rows.
 */
export function createIndexFeeder(options: IndexFeederOptions): IndexFeeder {
  const { thread, rows, cache, content, mayAsk, spareTime, onChange, health = UNWATCHED, log } = options;
  const { retryMs = RETRY_MS } = options;
  const due = new Set<Due>();
  const stopped = new AbortController();
  let hasBegun = false;
  let isRunning = false;
  let isReading = false;
  /** Whether it is known since `begin` that the index is new. */
  let isExamined = false;
  /** Whether the wait of `begin` is not over. */
  let isAtStart = false;
  let timer: NodeJS.Timeout | undefined;

  const readOptions = (): ReadOptions => ({
    ask: content.ask,
    signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(CALL_MS)]),
    onEvent: () => {},
  });

  async function readNames(): Promise<void> {
    const { api } = content;
    const [categories, authors, tags] = await Promise.all([
      content.cache.read(api.categories(), readOptions()),
      content.cache.read(api.authors(), readOptions()),
      content.cache.read(api.tags(), readOptions()),
    ]);
    await thread.run('names', {
      categories: categories.value.value.list.map(({ id, name, slug }) => ({ id, name, slug })),
      authors: authors.value.value.list.map(({ id, name }) => ({ id, name })),
      tags: tags.value.value.list.map(({ id, name }) => ({ id, name })),
    });
  }

  async function readType(type: SearchedType): Promise<void> {
    const newest = (await cache.read(rows.newest(type), readOptions())).value.value;
    const known = await thread.run('state', type);
    if (newest.total === 0 && known.count === 0) return;
    const isNewer = newest.by === null || newest.stamp !== known.stamp;
    if (isNewer || known.count === 0) await readSince(type, { by: newest.by, since: known.stamp, page: 1 });
    const { count } = await thread.run('state', type);
    if (count === newest.total) return;
    // Rows were removed without an event, or have come with a time of the past, as from a backup.
    const ask = (call: string) => content.ask(call, readOptions().signal);
    const ids = await rows.ids(type, ask);
    if (ids === null || (await thread.run('keep', type, ids))) return;
    await readSince(type, { by: newest.by, since: '', page: 1 });
  }

  async function readSince(type: SearchedType, from: RowsPlace): Promise<void> {
    let place = from;
    for (;;) {
      await spareTime();
      await ownTurn();
      stopped.signal.throwIfAborted();
      const { value } = (await cache.read(rows.rows(type, place), readOptions())).value;
      isReading ||= !value.isLast;
      for (let at = 0; at < value.rows.length; at += ROWS_AT_A_TIME)
        await thread.run('put', type, value.rows.slice(at, at + ROWS_AT_A_TIME));
      if (value.isLast) return;
      const last = value.rows.at(-1)?.stamp ?? '';
      // Rows that are added or removed meanwhile shift pages, so each page begins with the last time. Many rows may have one time.
      place =
        place.by !== null && last > place.since
          ? { ...place, since: last, page: 1 }
          : { ...place, page: place.page + 1 };
    }
  }

  /** @returns whether the index has no entry of any type. */
  async function isEmpty(): Promise<boolean> {
    const states = await Promise.all(SEARCHED_TYPES.map(type => thread.run('state', type)));
    return states.every(({ count }) => count === 0);
  }

  async function run(): Promise<void> {
    isRunning = true;
    isAtStart = false;
    while (due.size > 0 && !stopped.signal.aborted) {
      // Articles are found with their categories alone, so the names come first.
      const [next = 'names'] = due.has('names') ? [] : due;
      due.delete(next);
      try {
        if (!isExamined) isReading = await isEmpty();
        isExamined = true;
        if (!mayAsk()) {
          due.add(next);
          return later(Math.min(WAIT_MS, retryMs));
        }
        await (next === 'names' ? readNames() : readType(next));
        onChange();
      } catch (error) {
        if (stopped.signal.aborted) return;
        due.add(next);
        await note(error, next);
        return later(retryMs);
      }
    }
    isRunning = false;
    if (!isReading) return;
    isReading = false;
    onChange();
  }

  async function note(error: unknown, next: Due): Promise<void> {
    // The states of the types tell of failures of the backend, and one line tells of a disk that cannot be written.
    if (error instanceof BackendError || error instanceof DOMException) return;
    if (!(await health.probe()).isWritable) return;
    log.warn({ err: error, type: next }, 'search: the index could not be renewed and is tried again');
  }

  function later(ms: number): void {
    isRunning = false;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), ms);
    timer.unref();
  }

  function add(...names: readonly Due[]): void {
    for (const name of names) due.add(name);
    if (hasBegun && !isRunning && names.length > 0) later(GATHER_MS);
  }

  /** Removes the entries at once: they must not be found any more. */
  async function removeNow(tags: readonly string[]): Promise<void> {
    for (const type of SEARCHED_TYPES) {
      const ids = namedIds(
        type,
        tags.map(tag => parseTag(tag).name),
      );
      if (ids.length === 0) continue;
      await thread.run('remove', type, ids).catch(error => note(error, type));
      onChange();
    }
  }

  function dueOf(tag: string): readonly Due[] {
    const { name } = parseTag(tag);
    if (name === EVERYTHING) return ['names', ...SEARCHED_TYPES];
    const top = namesAbove(name).at(-1) ?? name;
    if (NAMES.includes(top)) return ['names'];
    return SEARCHED_TYPES.filter(type => type === top);
  }

  return {
    begin(afterMs = GATHER_MS) {
      hasBegun = isReading = true;
      isExamined = false;
      for (const name of dueOf(EVERYTHING)) due.add(name);
      isAtStart = !isRunning;
      if (!isRunning) later(afterMs);
    },
    get isWaiting() {
      return isAtStart;
    },
    hurry() {
      if (isAtStart) later(0);
      isAtStart = false;
    },
    invalidate(tags) {
      cache.invalidate(tags);
      add(...tags.flatMap(dueOf));
    },
    expireAll() {
      cache.expireAll();
      add(...dueOf(EVERYTHING));
    },
    remove(tags) {
      cache.remove(tags);
      if (hasBegun) void removeNow(tags);
      add(...tags.flatMap(dueOf));
    },
    get isReading() {
      return isReading;
    },
    stop() {
      clearTimeout(timer);
      stopped.abort();
    },
  };
}
