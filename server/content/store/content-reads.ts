import type { CacheEntry } from '../../cache/entry-store.ts';
import { revalidateStale } from '../../cache/revalidate-stale.ts';
import type { StaleCache } from '../../cache/stale-cache.ts';
import type { InvalidationLog } from '../../cache/tags/invalidation-log.ts';
import { BackendError } from '../../errors.ts';
import type { ReaderOptions } from '../reading/read-values.ts';
import type { ContentRequest, ReadContent } from '../requests/content-request.ts';
import type { CallBackend } from '../requests/counted-calls.ts';
import type { ContentEntries } from './content-entries.ts';
import type { GeneratedContent, LoadContent } from './content-loads.ts';
import type { ContentRecord } from './content-record.ts';
import type { Negatives } from './negative-content.ts';
import { isPastItsDates, type RenewedContent, type StoredContent, withValue } from './stored-content.ts';

/** The load aborts when no reader is left. */
export interface ReadOptions extends ReaderOptions {
  ask: CallBackend;
  /** Whether the page is complete without this content. A negative entry then replaces a failed load. */
  isOptional?: boolean;
  /** Whether to load even fresh content, because only a response of the backend ends the state `down`. */
  evenIfFresh?: boolean;
  /** Whether refused content is requested again for the page, at most once a second for each type. */
  asksAgain?: boolean;
}

interface ContentReadsOptions {
  readonly cache: StaleCache<StoredContent, ContentRecord>;
  readonly entries: Pick<ContentEntries, 'revive' | 'reviveShared'>;
  readonly load: LoadContent;
  readonly negatives: Pick<Negatives, 'entryOf'>;
  readonly invalidations: Pick<InvalidationLog, 'mark'>;
  readonly now: () => number;
}

const ASK_AGAIN_MS = 1_000;

export class ContentReads {
  readonly #options: ContentReadsOptions;
  readonly #askedAgainAt = new Map<string, number>();

  constructor(options: ContentReadsOptions) {
    this.#options = options;
  }

  async read(
    request: ContentRequest<object | null>,
    { ask, signal, onEvent = () => {}, isOptional = false, asksAgain = false, ...options }: ReadOptions,
  ): Promise<CacheEntry<StoredContent>> {
    signal.throwIfAborted();
    const { cache, entries, negatives } = this.#options;
    const { key } = request;
    const evenIfFresh = options.evenIfFresh || (asksAgain && this.#mayAskAgain(request.type.path));
    const cached = evenIfFresh ? null : cache.get(key);
    if (cached && cached.ttlMs > 0) {
      onEvent('hit', key);
      return cached.entry;
    }
    const load = (own: AbortSignal) => {
      const inside = { ask, signal: own };
      // The cast is safe: a key belongs to one request, so its entry has that request's type.
      const readOther = async (other: ContentRequest<object | null>) =>
        withValue(await this.read(other, inside)).value.value;
      return this.#options.load(request, call => ask(call, own), readOther as ReadContent, own);
    };
    const stale = request.isServedStale && !evenIfFresh ? await this.#readStale(request, load) : null;
    if (stale) {
      onEvent('hit', key);
      return stale;
    }
    onEvent(cache.isInFlight(key) ? 'joined' : 'miss', key);
    try {
      const shared = evenIfFresh ? undefined : entries.reviveShared(request);
      const loaded = await cache.revalidate(key, load, signal, shared);
      // Load the type's other content again at the next read, because the permission is back.
      if (asksAgain && evenIfFresh && !loaded.entry.value.emptyBecause) cache.invalidate([request.type.path]);
      if (loaded.servedStale) onEvent('stale', key);
      return loaded.entry;
    } catch (error) {
      if (signal.aborted) throw error;
      onEvent('failed', key);
      // Use older content that the load found on disk, unless a removal has deleted it.
      const older =
        cache.get(key)?.entry ??
        (isOptional ? await negatives.entryOf(request, entries.revive(request)) : null);
      if (!older || isPastItsDates(older.value)) throw error;
      onEvent('stale', key);
      return older;
    }
  }

  /** Loads content again. Repeats a load that an invalidation has overtaken, but not a failed one. */
  async renewed(before: CacheEntry<StoredContent>, options: ReadOptions): Promise<RenewedContent> {
    const { request } = before.value;
    const { invalidations } = this.#options;
    for (;;) {
      const mark = invalidations.mark();
      const entry = await this.read(request, options);
      if (!entry.invalidated) return { before, entry };
      if (invalidations.mark() === mark)
        throw new BackendError('unreachable', request.key, 'the content could not be loaded again');
    }
  }

  #mayAskAgain(path: string): boolean {
    const { now } = this.#options;
    const isDue = now() - (this.#askedAgainAt.get(path) ?? Number.NEGATIVE_INFINITY) >= ASK_AGAIN_MS;
    if (isDue) this.#askedAgainAt.set(path, now());
    return isDue;
  }

  /** Returns stale content. Waits for newer content only after an invalidation: an editor may look for it. */
  async #readStale(
    request: ContentRequest<object | null>,
    load: (own: AbortSignal) => Promise<GeneratedContent>,
  ): Promise<CacheEntry<StoredContent> | null> {
    const { cache, entries } = this.#options;
    const known = await cache.load(request.key, entries.revive(request));
    if (!known || isPastItsDates(known.entry.value)) return null;
    const found = { ...known, waitMs: known.entry.invalidated ? known.waitMs : 0 };
    const shared = entries.reviveShared(request);
    return (await revalidateStale(cache, request.key, found, load, shared))?.entry ?? null;
  }
}
