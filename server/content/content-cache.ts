import * as z from 'zod';
import type { JsonAnswer } from '../backend/backend-client.ts';
import type { DiskTier, RecordCodec } from '../cache/disk-tier.ts';
import type { CacheEntry } from '../cache/entry-store.ts';
import type { Invalidatable } from '../cache/invalidation.ts';
import { EVERYTHING, type InvalidationLog } from '../cache/invalidation-log.ts';
import type { Absence, KeptAbsences } from '../cache/kept-absences.ts';
import { revalidateStale } from '../cache/revalidate-stale.ts';
import type { SharedTier } from '../cache/shared-tier.ts';
import { type CacheSize, createStaleCache, type Generated } from '../cache/stale-cache.ts';
import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import { countsAsEmpty, emptyAnswer } from './answer-meaning.ts';
import { malformed } from './content-calls.ts';
import {
  ABSENT_VERSION,
  type Ask,
  answersDigest,
  type ContentRequest,
  type DecodedContent,
  type LastGoodAnswers,
  type ReadContent,
} from './content-request.ts';
import type { LoadFailure } from './content-states.ts';

/** The outcome of one read, for the log, the metrics and `Server-Timing`. */
export type ContentReadEvent =
  | { kind: 'hit' | 'miss'; key: string }
  /** The content was read from memory, whatever its age, without a call to the backend: error pages read in this way. */
  | { kind: 'peeked'; key: string }
  /** Another reader was already loading the same content, and this reader waited for that load. */
  | { kind: 'joined'; key: string }
  /** The load failed, and older content was served, or a kept absence. */
  | { kind: 'stale'; key: string }
  | { kind: 'failed'; key: string; error: unknown };

/** Decoded content in memory. */
export interface StoredContent {
  readonly value: object | null;
  readonly version: string;
  /** A digest of the answers from which the value was decoded. */
  readonly answersDigest: string;
  /** The value's size as JSON in bytes, an estimate of its memory. */
  readonly bytes: number;
  /** Whether the same answers are decoded again at the next renewal, because the value lacks something. */
  readonly isProvisional: boolean;
  /** The backend's error for content that was never loaded and counts as empty; null for content of the backend. */
  readonly emptyBecause: BackendError | null;
  /** The names of tags whose current versions the content decides (`Provenance`). */
  readonly decides: readonly string[];
  /** The request that loads the content again. */
  readonly request: ContentRequest<object | null>;
}

/** Content that was loaded again, and its tags before. */
export interface RenewedContent {
  readonly before: readonly string[];
  readonly entry: CacheEntry<StoredContent>;
}

/** Content on disk: the texts of the backend's answers, in the order of the calls. Each build decodes them with its own decoders. */
export interface ContentRecord {
  readonly generatedAt: number;
  readonly answers: readonly string[];
  /** The refused call of content that counts as empty. */
  readonly empty?: { readonly call: string; readonly status: number } | undefined;
}

export interface ContentCacheOptions {
  /** Bound of all decoded values in bytes. */
  maxBytes: number;
  /** How long content is fresh, in ms. */
  ttlMs: number;
  /** How long stale content may be served while the backend fails, in ms. */
  staleIfErrorMs: number;
  invalidations: InvalidationLog;
  disk?: DiskTier<ContentRecord>;
  /** The absences that stored pages depend on. Without them none are kept. */
  absences?: KeptAbsences;
  shared?: SharedTier<ContentRecord>;
  log: Logger;
  /** Called at the end of each load that was not aborted. `failure` is null for content that was loaded. */
  onLoaded?: (request: ContentRequest<object | null>, failure: LoadFailure | null) => void;
  /** Called with each key that is evicted to make room. */
  onEvict?: (key: string) => void;
  /** The clock, in ms. */
  now?: () => number;
}

export interface ReadOptions {
  /** Calls the backend under a signal. */
  ask: (call: string, signal: AbortSignal) => Promise<JsonAnswer>;
  /** The reader's signal. Its abort ends this reader's wait; the load is aborted when no reader waits for it. */
  signal: AbortSignal;
  onEvent: (event: ContentReadEvent) => void;
  /**
   * Whether the page is complete without this content, such as a breadcrumb. A kept absence then stands in when the load fails. Without
   * it a failed load is an error, because content that a page is made of may have been published since.
   */
  isOptional?: boolean;
  /** Whether the backend is asked even for content that is fresh: only its answer ends the state of a type that is down. */
  evenIfFresh?: boolean;
}

/** The result of a read: the value, its version and its provenance. */
export type ContentEntry<T extends object | null> = CacheEntry<StoredContent & { readonly value: T }>;

/** A cache of decoded content, with one load at a time for each request. */
export interface ContentCache extends Invalidatable {
  /**
   * @returns fresh content, or content from before when the load fails. Unchanged answers give the same object and are not decoded again, unless it is provisional.
   * @throws BackendError when the load fails and no stale content may be served; the reader's abort reason.
   */
  read<T extends object | null>(request: ContentRequest<T>, options: ReadOptions): Promise<ContentEntry<T>>;
  /** @returns whether a read would be answered from memory. */
  isFresh(key: string): boolean;
  /**
   * Loads all content in memory with a tag again. Invalidate the tag before: content that is fresh is not loaded.
   *
   * @throws BackendError or the signal's reason when one of the loads fails.
   */
  renew(name: string, options: ReadOptions): Promise<readonly RenewedContent[]>;
  /** @returns the content in memory that carries a tag, whatever its age. */
  values(name: string): readonly (object | null)[];
  /** @returns the entry in memory, whatever its age, without loading anything. */
  peek<T extends object | null>(key: string): ContentEntry<T> | null;
  /** Makes the next read of each piece of content load it and write its record: the records on disk may have been lost. */
  loadAgain(): void;
  /** Keeps the absences of content that a stored page depends on, for a process that starts while the backend is down. */
  keepAbsences(absences: readonly Absence[]): void;
  /**
   * Loads content from disk into memory, without the backend.
   *
   * @returns whether all of it is in memory now, and some of it is more than content that counts as empty.
   */
  loadFromDisk(requests: readonly ContentRequest<object | null>[]): Promise<boolean>;
  readonly size: CacheSize;
  /** Loads in flight. */
  readonly loading: number;
}

/** An entry, and what its decoding has found out. */
interface DecodedEntry extends Pick<DecodedContent<object | null>, 'answers' | 'isBroken'> {
  entry: CacheEntry<StoredContent>;
}

type GeneratedContent = Extract<Generated<StoredContent, ContentRecord>, { kind: 'entry' }>;

/** Memory for negative entries (content that does not exist), in bytes. */
const MAX_NEGATIVE_BYTES = 1024 * 1024;

/** @returns an empty cache. */
export function createContentCache(options: ContentCacheOptions): ContentCache {
  const { ttlMs, staleIfErrorMs, log, onLoaded, onEvict, now = Date.now } = options;
  const { maxBytes, invalidations, disk, shared, absences } = options;
  const cache = createStaleCache<StoredContent, ContentRecord>({
    ...{ maxBytes, ttlMs, staleIfErrorMs, invalidations, now },
    ...(disk ? { disk } : {}),
    ...(shared ? { shared } : {}),
    sizeOf: ({ bytes }) => bytes,
    versionOf: ({ version }) => version,
    negative: { maxBytes: MAX_NEGATIVE_BYTES, ttlMs, servesStale: true },
    onEvent({ kind, key }) {
      if (kind === 'evicted' || kind === 'negative-evicted') onEvict?.(key);
    },
  });

  /** Loads content. Content that was never known and that the backend refuses may count as empty. */
  async function generate(
    request: ContentRequest<object | null>,
    ask: Ask,
    readOther: ReadContent,
    signal: AbortSignal,
  ): Promise<GeneratedContent> {
    const generatedAt = now();
    try {
      const fetched = await request.fetch(ask, readOther);
      const { entry, answers, isBroken } = await decodeEntry(request, fetched, generatedAt);
      // An entry whose row is broken is a 404 only if it was never known.
      const isKnownEntry = isBroken && (await cache.load(request.key, revive(request)))?.entry.value.value;
      if (isKnownEntry) throw malformed(request.type, 'the row lacks its id or a required field');
      if (entry.value.value !== null) absences?.remove(request.key);
      onLoaded?.(request, null);
      return generated(entry, () => ({ generatedAt, answers: answers.map(({ text }) => text) }));
    } catch (error) {
      if (signal.aborted) throw error;
      const older = await cache.load(request.key, revive(request));
      const isKnown = older !== null && older.entry.value.emptyBecause === null;
      onLoaded?.(request, { error, isKnown });
      if (isKnown || !countsAsEmpty(request.type, error)) throw error;
      const { call, status } = error;
      const answer = emptyAnswer(request.type);
      const { entry } = await decodeEntry(request, [answer], generatedAt, error);
      return generated(entry, () => ({
        ...{ generatedAt, answers: [answer.text] },
        empty: { call, status: status ?? 0 },
      }));
    }
  }

  async function decodeEntry(
    request: ContentRequest<object | null>,
    answers: readonly JsonAnswer[],
    generatedAt: number,
    emptyBecause: BackendError | null = null,
  ): Promise<DecodedEntry> {
    const digest = answersDigest(answers);
    const before = cache.peek(request.key);
    if (emptyBecause === null && before?.value.answersDigest === digest && !before.value.isProvisional)
      return { entry: { ...before, generatedAt, invalidated: false }, answers, isBroken: false };
    const decoded = await request.decode(answers, lastGoodOf(request));
    const { tags, about, isBroken, answers: used, ...content } = decoded;
    // Answers may differ in fields that are not decoded. The cache then keeps the same object, and with it everything memoised by it.
    const isSame = before !== null && before.value.version === content.version;
    const { isProvisional } = content;
    const own = { answersDigest: digest, isProvisional, emptyBecause, request };
    const value = { ...(isSame ? before.value : content), ...own };
    return { entry: { value, tags, about, generatedAt, invalidated: false }, answers: used, isBroken };
  }

  /** @returns a function that reads the answers on disk, whose rows stand in for broken ones. */
  function lastGoodOf({ key }: ContentRequest<object | null>): LastGoodAnswers {
    return async () => {
      const record = await disk?.read(key);
      const isUsable = record && !record.empty && now() - record.generatedAt < ttlMs + staleIfErrorMs;
      return isUsable ? parsed(record) : null;
    };
  }

  /** Decodes a record from disk. A record that this build cannot decode is logged and counts as absent. */
  const revive = (request: ContentRequest<object | null>) => async (record: ContentRecord) => {
    try {
      const { call, status } = record.empty ?? {};
      const emptyBecause =
        call === undefined || status === undefined
          ? null
          : new BackendError('status', call, `answered ${status}`, { status });
      const { entry } = await decodeEntry(request, parsed(record), record.generatedAt, emptyBecause);
      return entry.value.value === null ? null : entry;
    } catch (error) {
      log.warn({ err: error, key: request.key }, 'content from disk cannot be decoded and counts as absent');
      return null;
    }
  };

  async function read(
    request: ContentRequest<object | null>,
    { ask, signal, onEvent, isOptional = false, evenIfFresh = false }: ReadOptions,
  ): Promise<CacheEntry<StoredContent>> {
    signal.throwIfAborted();
    const { key } = request;
    const cached = evenIfFresh ? null : cache.get(key);
    if (cached && cached.ttlMs > 0) {
      onEvent({ kind: 'hit', key });
      return cached.entry;
    }
    const load = (own: AbortSignal) => {
      const inside = { ask, signal: own, onEvent: () => {} };
      // A key belongs to one request, so its entry has the type of that request's values.
      const readOther = async (other: ContentRequest<object | null>) =>
        (await read(other, inside)).value.value;
      return generate(request, call => ask(call, own), readOther as ReadContent, own);
    };
    const stale = request.isServedStale && !evenIfFresh ? await readStale(request, load) : null;
    if (stale) {
      onEvent({ kind: 'hit', key });
      return stale;
    }
    onEvent({ kind: cache.isInFlight(key) ? 'joined' : 'miss', key });
    try {
      const loaded = await cache.revalidate(key, load, signal, revive(request));
      return loaded.entry;
    } catch (error) {
      if (signal.aborted) throw error;
      onEvent({ kind: 'failed', key, error });
      // `generate` has loaded older content from disk. Look again: a removal may have deleted it since.
      const older = cache.get(key)?.entry ?? (isOptional ? keptAbsence(request) : null);
      if (!older) throw error;
      onEvent({ kind: 'stale', key });
      return older;
    }
  }

  /**
   * Reads content that is served stale, from memory or disk. Only after an invalidation a reader waits for a moment, because an editor looks
   * for the change.
   */
  async function readStale(
    request: ContentRequest<object | null>,
    load: (own: AbortSignal) => Promise<GeneratedContent>,
  ): Promise<CacheEntry<StoredContent> | null> {
    const known = await cache.load(request.key, revive(request));
    if (!known) return null;
    const waitMs = known.entry.invalidated ? known.waitMs : 0;
    return (await revalidateStale(cache, request.key, { ...known, waitMs }, load))?.entry ?? null;
  }

  /** @returns the entry of a kept absence; null without one or when it is too old. */
  function keptAbsence(request: ContentRequest<object | null>): CacheEntry<StoredContent> | null {
    const { key } = request;
    const absence = absences?.get(key);
    if (!absence || now() - absence.generatedAt >= ttlMs + staleIfErrorMs) return null;
    const { tags, generatedAt } = absence;
    return {
      value: {
        ...{ value: null, version: ABSENT_VERSION, answersDigest: '', bytes: 0 },
        ...{ isProvisional: false, emptyBecause: null, decides: [], request },
      },
      ...{ tags, about: null, generatedAt },
      invalidated: invalidations.since(tags, generatedAt),
    };
  }

  async function renewed(
    { value, tags: before }: CacheEntry<StoredContent>,
    readOptions: ReadOptions,
  ): Promise<RenewedContent> {
    const entry = await read(value.request, readOptions);
    if (entry.invalidated)
      throw new BackendError('unreachable', value.request.key, 'the content could not be loaded again');
    return { before, entry };
  }

  // A key belongs to one request, so its entries have the type of that request's values.
  return {
    read: <T extends object | null>(request: ContentRequest<T>, readOptions: ReadOptions) =>
      read(request, readOptions) as Promise<ContentEntry<T>>,
    peek: <T extends object | null>(key: string) => cache.peek(key) as ContentEntry<T> | null,
    values: name => cache.keysOf(name).map(key => cache.peek(key)?.value.value ?? null),
    renew: (name, readOptions) =>
      Promise.all(
        cache.keysOf(name).flatMap(key => {
          const before = cache.peek(key);
          return before ? [renewed(before, readOptions)] : [];
        }),
      ),
    isFresh: key => (cache.get(key)?.ttlMs ?? 0) > 0,
    loadAgain() {
      cache.writeAgain();
      cache.invalidate([EVERYTHING]);
    },
    keepAbsences: found => absences?.keep(found),
    async loadFromDisk(requests) {
      await Promise.all(
        requests.map(request => cache.peek(request.key) ?? cache.load(request.key, revive(request))),
      );
      const found = requests.map(({ key }) => cache.peek(key));
      return found.every(entry => entry !== null) && found.some(entry => entry?.value.emptyBecause === null);
    },
    invalidate: cache.invalidate,
    remove: cache.remove,
    versionsOf: cache.versionsOf,
    namesBelow: cache.namesBelow,
    get size() {
      const { positive, negative } = cache.size;
      return { bytes: positive.bytes + negative.bytes, entries: positive.entries + negative.entries };
    },
    get loading() {
      return cache.inFlight;
    },
  };
}

function parsed({ answers }: ContentRecord): readonly JsonAnswer[] {
  return answers.map(text => ({ text, body: JSON.parse(text) as unknown }));
}

function generated(entry: CacheEntry<StoredContent>, record: () => ContentRecord): GeneratedContent {
  return { kind: 'entry', entry, isNegative: entry.value.value === null, servedStale: false, record };
}

const recordSchema = z.object({
  generatedAt: z.number(),
  answers: z.array(z.string()).min(1),
  empty: z.object({ call: z.string(), status: z.number() }).optional(),
});

/** Content records as JSON. */
export const contentRecordCodec: RecordCodec<ContentRecord> = {
  encode: record => Buffer.from(JSON.stringify(record)),
  decode: bytes => recordSchema.parse(JSON.parse(bytes.toString('utf8'))),
};
