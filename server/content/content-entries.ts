import type { JsonAnswer } from '../backend/backend-client.ts';
import type { DiskTier } from '../cache/disk-tier.ts';
import type { CacheEntry } from '../cache/entry-store.ts';
import type { Revive } from '../cache/generated.ts';
import type { InvalidationLog } from '../cache/invalidation-log.ts';
import type { StaleCache } from '../cache/stale-cache.ts';
import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import { inSlices } from '../ops/turns.ts';
import { answersOf, type ContentRecord } from './content-record.ts';
import {
  type Ask,
  answersDigest,
  type ContentRequest,
  type DecodedContent,
  type LastGoodAnswers,
} from './content-request.ts';
import { isDecoded } from './current-files.ts';
import { countRows } from './last-good-rows.ts';
import type { LossGuard } from './losses/loss-guard.ts';
import { packed } from './packed-json.ts';
import type { StoredContent } from './stored-content.ts';

/** An entry, and what its decoding has found out. */
interface DecodedEntry extends Pick<DecodedContent<object | null>, 'answers' | 'isBroken'> {
  entry: CacheEntry<StoredContent>;
}

/** The making of cache entries from answers of the backend, and from records of the disk and of other processes. */
export interface ContentEntries {
  /** @returns the entry of answers. Unchanged answers are not decoded again, and unchanged content keeps its object. */
  decodeEntry(
    request: ContentRequest<object | null>,
    answers: readonly JsonAnswer[],
    generatedAt: number,
    emptyBecause?: BackendError | null,
  ): Promise<DecodedEntry>;
  /** Decodes a record from disk or of another process. A record that this build cannot decode is logged and counts as absent. */
  revive(request: ContentRequest<object | null>): Revive<StoredContent, ContentRecord>;
  /** Decodes a record of another process, and leaves it out where it has lost rows: this process then asks for itself, and judges the loss. */
  reviveShared(request: ContentRequest<object | null>): Revive<StoredContent, ContentRecord>;
  /** @returns the entry of a request in memory or on disk, whatever its age; null without one. */
  olderOf(request: ContentRequest<object | null>): Promise<CacheEntry<StoredContent> | null>;
  /**
   * @param rows the rows of new answers.
   * @param startedAt when the load began, by `performance.now()`.
   * @returns whether the content has lost rows.
   * @throws BackendError `emptied` when the loss is not to be believed.
   */
  confirmLoss(
    request: ContentRequest<object | null>,
    rows: number,
    startedAt: number,
    ask: Ask,
  ): Promise<boolean>;
}

export interface ContentEntriesOptions {
  cache: Pick<StaleCache<StoredContent, ContentRecord>, 'peek' | 'load'>;
  disk: DiskTier<ContentRecord> | undefined;
  losses: Pick<LossGuard, 'confirm'> | undefined;
  invalidations: InvalidationLog;
  /** How long a record may be used, in ms. */
  lifeMs: number;
  /** Called with the key of content that another process has loaded and that exists. */
  onKnown: (key: string) => void;
  log: Logger;
  /** The clock, in ms. */
  now: () => number;
}

/** @returns the making of entries for a cache. */
export function createContentEntries({
  cache,
  disk,
  losses,
  invalidations,
  lifeMs,
  onKnown,
  log,
  now,
}: ContentEntriesOptions): ContentEntries {
  async function confirmLoss(
    request: ContentRequest<object | null>,
    rows: number,
    startedAt: number,
    ask: Ask,
  ): Promise<boolean> {
    if (!losses || request.type.storage !== 'collection') return false;
    if (request.isChoice && rows > 0) return false;
    const before = cache.peek(request.key) ?? (rows === 0 ? await olderOf(request) : null);
    const counts = { now: rows, before: before?.value.rows ?? 0, startedAt };
    return losses.confirm(request.type, counts, ask);
  }

  async function olderOf(request: ContentRequest<object | null>): Promise<CacheEntry<StoredContent> | null> {
    return (await cache.load(request.key, revive(request)))?.entry ?? null;
  }

  async function decodeEntry(
    request: ContentRequest<object | null>,
    answers: readonly JsonAnswer[],
    generatedAt: number,
    emptyBecause: BackendError | null = null,
  ): Promise<DecodedEntry> {
    const digest = await inSlices(answersDigest(answers));
    const before = cache.peek(request.key);
    if (emptyBecause === null && before && isDecoded(before, digest, invalidations))
      return { entry: { ...before, generatedAt, invalidated: false }, answers, isBroken: false };
    const decoded = await request.decode(answers, lastGoodOf(request));
    const { tags, about, isBroken, answers: used, ...content } = decoded;
    // Answers may differ in fields that are not decoded. The cache then keeps the same object, and with it everything memoised by it.
    const isSame = before !== null && before.value.version === content.version;
    const { isProvisional, rows } = content;
    const own = { answersDigest: digest, isProvisional, rows, emptyBecause, request };
    const loaded = isSame ? before.value : content;
    const kept = request.isPacked && !isSame ? packed(content.value, content.bytes) : loaded.value;
    const value = { ...loaded, ...own, value: kept };
    return { entry: { value, tags, about, generatedAt, invalidated: false }, answers: used, isBroken };
  }

  /** @returns a function that reads the answers on disk, whose rows stand in for broken ones. */
  function lastGoodOf({ key }: ContentRequest<object | null>): LastGoodAnswers {
    return async () => {
      const record = await disk?.read(key);
      const isUsable = record && !record.empty && now() - record.generatedAt < lifeMs;
      return isUsable ? inSlices(answersOf(record)) : null;
    };
  }

  const revive = (request: ContentRequest<object | null>) => async (record: ContentRecord) => {
    try {
      const { call, status } = record.empty ?? {};
      const emptyBecause =
        call === undefined || status === undefined
          ? null
          : new BackendError('status', call, `answered ${status}`, { status });
      const answers = await inSlices(answersOf(record));
      const { entry } = await decodeEntry(request, answers, record.generatedAt, emptyBecause);
      return { ...entry, invalidated: record.invalidated ?? false };
    } catch (error) {
      log.warn({ err: error, key: request.key }, 'kept content cannot be decoded and counts as absent');
      return null;
    }
  };

  const reviveShared = (request: ContentRequest<object | null>) => async (record: ContentRecord) => {
    const entry = await revive(request)(record);
    if (entry === null) return null;
    const { rows, value } = entry.value;
    const isCompared = losses && request.type.storage === 'collection' && !(request.isChoice && rows > 0);
    if (isCompared && rows < (await rowsBefore(request, rows))) return null;
    if (value !== null) onKnown(request.key);
    return entry;
  };

  /** @returns the rows of the content in memory, or of that on disk if there are none now. */
  async function rowsBefore(request: ContentRequest<object | null>, rows: number): Promise<number> {
    const cached = cache.peek(request.key)?.value.rows;
    if (cached !== undefined || rows > 0) return cached ?? 0;
    return countRows((await lastGoodOf(request)()) ?? []);
  }

  return { decodeEntry, revive, reviveShared, olderOf, confirmLoss };
}
