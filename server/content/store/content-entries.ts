import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { DiskTier } from '../../cache/disk/disk-tier.ts';
import type { CacheEntry } from '../../cache/entry-store.ts';
import type { Revive } from '../../cache/generated.ts';
import type { StaleCache } from '../../cache/stale-cache.ts';
import type { InvalidationLog } from '../../cache/tags/invalidation-log.ts';
import { parseTag } from '../../cache/tags/tags.ts';
import { BackendError } from '../../errors.ts';
import type { Logger } from '../../ops/log.ts';
import { inSlices } from '../../ops/slices.ts';
import type { LossGuard } from '../changes/loss-guard.ts';
import {
  type Ask,
  answersDigest,
  type ContentRequest,
  type DecodedContent,
} from '../requests/content-request.ts';
import { isMediaTag, MANY_FILES_TAG } from '../tags/media-tags.ts';
import { answersIn, type ContentRecord } from './content-record.ts';
import { countRows } from './last-good-rows.ts';
import { isPastItsDates, packed, type StoredContent } from './stored-content.ts';

interface DecodedEntry extends Pick<DecodedContent<object | null>, 'answers' | 'isBroken'> {
  entry: CacheEntry<StoredContent>;
}

export type ContentEntries = ReturnType<typeof createContentEntries>;

interface ContentEntriesOptions {
  cache: Pick<StaleCache<StoredContent, ContentRecord>, 'peek' | 'load'>;
  disk: DiskTier<ContentRecord> | undefined;
  losses: Pick<LossGuard, 'confirm'> | undefined;
  invalidations: InvalidationLog;
  lifeMs: number;
  onKnown: (key: string) => void;
  log: Logger;
  now: () => number;
}

export function createContentEntries(options: ContentEntriesOptions) {
  const { cache, disk, losses, invalidations, lifeMs, onKnown, log, now } = options;

  /** Decodes changed responses only. Unchanged content keeps its object. */
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
    const decoded = await request.decode(answers, () => lastGood(request.key));
    const { tags, about, isBroken, answers: used, ...content } = decoded;
    // Keep the object of an equal value, even if the responses differ: results are memoised by it.
    const isSame = before !== null && before.value.version === content.version;
    const { isProvisional, rows, dates } = content;
    const texts = dates.endsAt === null ? [] : used.map(({ text }) => text);
    const own = { answersDigest: digest, isProvisional, rows, dates, texts, emptyBecause, request };
    const loaded = isSame ? before.value : content;
    const kept = request.isPacked && !isSame ? packed(content.value, content.bytes) : loaded.value;
    const value = { ...loaded, ...own, value: kept };
    return { entry: { value, tags, about, generatedAt, invalidated: false }, answers: used, isBroken };
  }

  /** @returns the content as its dates show it now, decoded again from its responses if a date has passed. */
  async function atPresent(entry: CacheEntry<StoredContent>): Promise<CacheEntry<StoredContent>> {
    if (!isPastItsDates(entry.value)) return entry;
    const { request, texts, emptyBecause } = entry.value;
    const answers = await inSlices(answersIn(texts));
    const decoded = await decodeEntry(request, answers, entry.generatedAt, emptyBecause);
    return { ...decoded.entry, invalidated: entry.invalidated };
  }

  /** Reads a record. A record that cannot be decoded is logged and counts as missing. */
  function revive(request: ContentRequest<object | null>): Revive<StoredContent, ContentRecord> {
    return async record => {
      try {
        const { call, status } = record.empty ?? {};
        const emptyBecause =
          call === undefined || status === undefined
            ? null
            : new BackendError('status', call, `answered ${status}`, { status });
        const answers = await inSlices(answersIn(record.answers));
        const { entry } = await decodeEntry(request, answers, record.generatedAt, emptyBecause);
        return { ...entry, invalidated: record.invalidated ?? false };
      } catch (error) {
        log.warn(
          { code: 'content-record-undecodable', err: error, key: request.key },
          'content: a stored record cannot be decoded and is ignored',
        );
        return null;
      }
    };
  }

  /** Rejects a record that has lost rows, so that this process asks the backend and judges the loss. */
  function reviveShared(request: ContentRequest<object | null>): Revive<StoredContent, ContentRecord> {
    return async record => {
      const entry = await revive(request)(record);
      if (entry === null) return null;
      const { rows, value } = entry.value;
      if (mayLose(request, rows) && rows < (await rowsBefore(request.key, rows))) return null;
      if (value !== null) onKnown(request.key);
      return entry;
    };
  }

  async function olderOf(request: ContentRequest<object | null>): Promise<CacheEntry<StoredContent> | null> {
    return (await cache.load(request.key, revive(request)))?.entry ?? null;
  }

  /** @param startedAt by `performance.now()`. @throws BackendError `emptied` if the loss is not accepted. */
  async function confirmLoss(
    request: ContentRequest<object | null>,
    rows: number,
    startedAt: number,
    ask: Ask,
  ): Promise<boolean> {
    if (!losses || !mayLose(request, rows)) return false;
    const before = cache.peek(request.key) ?? (rows === 0 ? await olderOf(request) : null);
    const counts = { now: rows, before: before?.value.rows ?? 0, startedAt };
    return losses.confirm(request.type, counts, ask);
  }

  function mayLose({ type, isChoice }: ContentRequest<object | null>, rows: number): boolean {
    return losses !== undefined && type.storage === 'collection' && !(isChoice && rows > 0);
  }

  async function lastGood(key: string): Promise<readonly JsonAnswer[] | null> {
    const record = await disk?.read(key);
    const isUsable = record && !record.empty && now() - record.generatedAt < lifeMs;
    return isUsable ? inSlices(answersIn(record.answers)) : null;
  }

  async function rowsBefore(key: string, rows: number): Promise<number> {
    const cached = cache.peek(key)?.value.rows;
    if (cached !== undefined || rows > 0) return cached ?? 0;
    return countRows((await lastGood(key)) ?? []);
  }

  return { decodeEntry, atPresent, revive, reviveShared, olderOf, confirmLoss };
}

function isDecoded(
  entry: CacheEntry<StoredContent>,
  digest: string,
  log: Pick<InvalidationLog, 'last'>,
): boolean {
  const { answersDigest, isProvisional } = entry.value;
  if (answersDigest !== digest || isProvisional || isPastItsDates(entry.value)) return false;
  return hasCurrentFiles(entry, log);
}

/** Whether an entry has the current versions of files, which the backend's responses may lack. */
function hasCurrentFiles(
  { tags, invalidated }: CacheEntry<StoredContent>,
  log: Pick<InvalidationLog, 'last'>,
): boolean {
  return tags.every(tag => {
    if (!isMediaTag(tag)) return true;
    if (tag === MANY_FILES_TAG) return !invalidated;
    const { name, version } = parseTag(tag);
    // Accept an unknown version, because the invalidation log forgets the oldest ones.
    return (log.last(name)?.version ?? version) === version;
  });
}
