import { siteTypes } from '../../../site/types.ts';
import type { DiskHealth } from '../../cache/disk/disk-health.ts';
import type { Invalidatable } from '../../cache/tags/invalidation.ts';
import { namesAbove, parseTag } from '../../cache/tags/tags.ts';
import type { ContentSource } from '../../content/reading/collecting-reader.ts';
import type { ContentRequest } from '../../content/requests/content-request.ts';
import type { ContentCache } from '../../content/store/content-cache.ts';
import { namedIds } from '../../content/tags/content-tags.ts';
import { BackendError } from '../../errors.ts';
import type { Logger } from '../../ops/log.ts';
import { ownTick } from '../../ops/slices.ts';
import type { SpareTime } from '../../ops/spare-time.ts';
import type { SearchThread } from '../search-thread.ts';
import type { SearchedType } from '../search-types.ts';
import { type RowsPlace, SEARCHED_TYPES, type SearchableRows } from './searchable-rows.ts';

/** Limit for one write. Queries of visitors run between the writes. */
const ROWS_AT_A_TIME = 20;
const CALL_MS = 20_000;
/** The time for which changes are collected and then read together, in ms. */
const GATHER_MS = 20;
const RETRY_MS = 15_000;
const WAIT_MS = 1_000;
const EVERYTHING = '*';

export interface IndexFeederOptions {
  thread: SearchThread;
  rows: SearchableRows;
  cache: Pick<ContentCache, 'read' | 'invalidate' | 'remove' | 'expireAll'>;
  content: Pick<ContentSource, 'api' | 'cache' | 'ask'>;
  mayAsk: () => boolean;
  spareTime: SpareTime;
  onChange: () => void;
  health: DiskHealth;
  log: Logger;
  /** The pause before a failed read or an ended thread is retried, in ms. */
  retryMs?: number | undefined;
}

/** Content to read again: a content type, or the names of all categories, authors and tags. */
type Due = SearchedType | 'names';

const NAMES: readonly string[] = [siteTypes.category, siteTypes.author, siteTypes.tag].map(
  ({ path }) => path,
);

/** Reads changed rows into the index, oldest first. The total of rows reveals removals without an event. */
export class IndexFeeder implements Invalidatable {
  readonly #options: IndexFeederOptions;
  readonly #retryMs: number;
  readonly #due = new Set<Due>();
  readonly #stopped = new AbortController();
  #hasBegun = false;
  #isRunning = false;
  #isReading = false;
  #isExamined = false;
  #isAtStart = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IndexFeederOptions) {
    this.#options = options;
    this.#retryMs = options.retryMs ?? RETRY_MS;
  }

  /** @param afterMs the delay before reading. A change or `hurry` ends it. */
  begin(afterMs = GATHER_MS): void {
    this.#hasBegun = this.#isReading = true;
    this.#isExamined = false;
    for (const name of this.#dueOf(EVERYTHING)) this.#due.add(name);
    this.#isAtStart = !this.#isRunning;
    if (!this.#isRunning) this.#later(afterMs);
  }

  get isWaiting(): boolean {
    return this.#isAtStart;
  }

  hurry(): void {
    if (this.#isAtStart) this.#later(0);
    this.#isAtStart = false;
  }

  invalidate(tags: readonly string[]): void {
    this.#options.cache.invalidate(tags);
    this.#add(...tags.flatMap(tag => this.#dueOf(tag)));
  }

  expireAll(): void {
    this.#options.cache.expireAll();
    this.#add(...this.#dueOf(EVERYTHING));
  }

  remove(tags: readonly string[]): void {
    this.#options.cache.remove(tags);
    if (this.#hasBegun) void this.#removeNow(tags);
    this.#add(...tags.flatMap(tag => this.#dueOf(tag)));
  }

  /** True until a new index has all entries, and during a later read of more than one call. */
  get isReading(): boolean {
    return this.#isReading;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort();
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(CALL_MS)]);
  }

  async #read<T extends object | null>(
    cache: Pick<ContentCache, 'read'>,
    request: ContentRequest<T>,
  ): Promise<T> {
    const options = { ask: this.#options.content.ask, signal: this.#signal() };
    return (await cache.read(request, options)).value.value;
  }

  async #readNames(): Promise<void> {
    const { api, cache } = this.#options.content;
    const [categories, authors, tags] = await Promise.all([
      this.#read(cache, api.categories()),
      this.#read(cache, api.authors()),
      this.#read(cache, api.tags()),
    ]);
    await this.#options.thread.run('names', {
      categories: categories.list.map(({ id, name, slug }) => ({ id, name, slug })),
      authors: authors.list.map(({ id, name }) => ({ id, name })),
      tags: tags.list.map(({ id, name }) => ({ id, name })),
    });
  }

  async #readType(type: SearchedType): Promise<void> {
    const newest = await this.#read(this.#options.cache, this.#options.rows.newest(type));
    const known = await this.#options.thread.run('state', type);
    if (newest.total === 0 && known.count === 0) return;
    const isNewer = newest.by === null || newest.stamp !== known.stamp;
    if (isNewer || known.count === 0)
      await this.#readSince(type, { by: newest.by, since: known.stamp, page: 1 });
    const { count } = await this.#options.thread.run('state', type);
    if (count === newest.total) return;
    // Compare ids, because rows were removed without an event, or added with an old time, as from a backup.
    const ask = (call: string) => this.#options.content.ask(call, this.#signal());
    const ids = await this.#options.rows.ids(type, ask);
    if (ids === null || (await this.#options.thread.run('keep', type, ids))) return;
    await this.#readSince(type, { by: newest.by, since: '', page: 1 });
  }

  async #readSince(type: SearchedType, from: RowsPlace): Promise<void> {
    let place = from;
    for (;;) {
      await this.#options.spareTime();
      await ownTick();
      this.#stopped.signal.throwIfAborted();
      const value = await this.#read(this.#options.cache, this.#options.rows.rows(type, place));
      this.#isReading ||= !value.isLast;
      for (let at = 0; at < value.rows.length; at += ROWS_AT_A_TIME)
        await this.#options.thread.run('put', type, value.rows.slice(at, at + ROWS_AT_A_TIME));
      if (value.isLast) return;
      const last = value.rows.at(-1)?.stamp ?? '';
      // Begin at the last row's time if it is later, because added or removed rows shift pages.
      place =
        place.by !== null && last > place.since
          ? { ...place, since: last, page: 1 }
          : { ...place, page: place.page + 1 };
    }
  }

  async #isEmpty(): Promise<boolean> {
    const states = await Promise.all(SEARCHED_TYPES.map(type => this.#options.thread.run('state', type)));
    return states.every(({ count }) => count === 0);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#isAtStart = false;
    while (this.#due.size > 0 && !this.#stopped.signal.aborted) {
      // Read names first, because articles are found only with their categories.
      const [next = 'names'] = this.#due.has('names') ? [] : this.#due;
      this.#due.delete(next);
      try {
        if (!this.#isExamined) this.#isReading = await this.#isEmpty();
        this.#isExamined = true;
        if (!this.#options.mayAsk()) {
          this.#due.add(next);
          return this.#later(Math.min(WAIT_MS, this.#retryMs));
        }
        await (next === 'names' ? this.#readNames() : this.#readType(next));
        this.#options.onChange();
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        this.#due.add(next);
        await this.#note(error, next);
        return this.#later(this.#retryMs);
      }
    }
    this.#isRunning = false;
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#options.onChange();
  }

  async #note(error: unknown, next: Due): Promise<void> {
    // Skip failures of the backend and the disk, which have other log entries.
    if (error instanceof BackendError || error instanceof DOMException) return;
    if (!(await this.#options.health.probe()).isWritable) return;
    this.#options.log.warn(
      { code: 'search-renewal-failed', err: error, type: next },
      'search: the index could not be updated; a retry follows',
    );
  }

  #later(ms: number): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), ms);
    this.#timer.unref();
  }

  #add(...names: readonly Due[]): void {
    for (const name of names) this.#due.add(name);
    if (this.#hasBegun && !this.#isRunning && names.length > 0) this.#later(GATHER_MS);
  }

  async #removeNow(tags: readonly string[]): Promise<void> {
    for (const type of SEARCHED_TYPES) {
      const ids = namedIds(
        type,
        tags.map(tag => parseTag(tag).name),
      );
      if (ids.length === 0) continue;
      await this.#options.thread.run('remove', type, ids).catch(error => this.#note(error, type));
      this.#options.onChange();
    }
  }

  #dueOf(tag: string): readonly Due[] {
    const { name } = parseTag(tag);
    if (name === EVERYTHING) return ['names', ...SEARCHED_TYPES];
    const top = namesAbove(name).at(-1) ?? name;
    if (NAMES.includes(top)) return ['names'];
    return SEARCHED_TYPES.filter(type => type === top);
  }
}
