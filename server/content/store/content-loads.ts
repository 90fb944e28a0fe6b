import type { DiskTier } from '../../cache/disk/disk-tier.ts';
import type { CacheEntry } from '../../cache/entry-store.ts';
import type { Generated } from '../../cache/generated.ts';
import { earlier } from '../../decode/shown-dates.ts';
import { malformed } from '../../wire/content-calls.ts';
import type { LossGuard } from '../changes/loss-guard.ts';
import { countsAsEmpty, emptyAnswer, isAbsent } from '../requests/answer-meaning.ts';
import type { Ask, ContentRequest, ReadContent } from '../requests/content-request.ts';
import type { ContentEntries } from './content-entries.ts';
import type { ContentRecord } from './content-record.ts';
import type { LoadFailure } from './content-states.ts';
import type { Negatives } from './negative-content.ts';
import type { StoredContent } from './stored-content.ts';

export type LoadContent = ReturnType<typeof createContentLoad>;

export type GeneratedContent = Extract<Generated<StoredContent, ContentRecord>, { kind: 'entry' }>;

interface ContentLoadOptions {
  readonly entries: ContentEntries;
  readonly negatives: Pick<Negatives, 'remove'>;
  readonly disk: DiskTier<ContentRecord> | undefined;
  readonly losses: Pick<LossGuard, 'recall' | 'loaded' | 'isAbsenceAccepted' | 'isHeld'> | undefined;
  readonly ttlMs: number;
  readonly onLoaded:
    | ((request: ContentRequest<object | null>, failure: LoadFailure | null) => void)
    | undefined;
  readonly now: () => number;
}

/** @returns a function that loads content. Refused content that was never known may count as empty. */
export function createContentLoad(options: ContentLoadOptions) {
  const { entries, negatives, disk, losses, ttlMs, onLoaded, now } = options;

  async function load(
    request: ContentRequest<object | null>,
    ask: Ask,
    readOther: ReadContent,
    signal: AbortSignal,
  ): Promise<GeneratedContent> {
    const loadedAt = now();
    try {
      return await loaded(request, ask, readOther, loadedAt);
    } catch (error) {
      if (signal.aborted) throw error;
      return failed(request, error, loadedAt);
    }
  }

  async function loaded(
    request: ContentRequest<object | null>,
    ask: Ask,
    readOther: ReadContent,
    loadedAt: number,
  ): Promise<GeneratedContent> {
    const startedAt = performance.now();
    if (disk && losses) await losses.recall(() => disk.keys());
    const [fetched, endsAt] = await Promise.all([
      request.fetch(ask, readOther),
      // On an error, use the usual time to live.
      request.endsAt?.(readOther).catch(() => null) ?? null,
    ]);
    const { entry: decoded, answers, isBroken } = await entries.decodeEntry(request, fetched, loadedAt);
    const generatedAt = generatedBefore(loadedAt, earlier(endsAt, decoded.value.dates.endsAt));
    const entry = { ...decoded, generatedAt };
    // Return a 404 for a broken row only if the entry was never known.
    const isKnownEntry = isBroken && (await entries.olderOf(request))?.value.value;
    if (isKnownEntry) throw malformed(request.type, 'the row lacks its id or a required field');
    const isLoss = await entries.confirmLoss(request, entry.value.rows, startedAt, ask);
    losses?.loaded(request.type);
    if (entry.value.value !== null) negatives.remove(request.key);
    // Report no success before a type's loss is accepted, because single entries may still load.
    if (!losses?.isHeld(request.type.path)) onLoaded?.(request, null);
    // Keep only the texts, which saves three quarters of the memory: a record may wait minutes for its write.
    const texts = answers.map(({ text }) => text);
    const record = ({ invalidated }: CacheEntry<StoredContent>) => ({
      generatedAt,
      answers: texts,
      invalidated: invalidated || undefined,
    });
    return generated(entry, record, isLoss);
  }

  async function failed(
    request: ContentRequest<object | null>,
    error: unknown,
    generatedAt: number,
  ): Promise<GeneratedContent> {
    const older = await entries.olderOf(request);
    const wasLoaded = older !== null && older.value.emptyBecause === null;
    const isAccepted =
      wasLoaded && isAbsent(request.type, error) && losses?.isAbsenceAccepted(request.type) === true;
    const isKnown = wasLoaded && !isAccepted;
    onLoaded?.(request, { error, isKnown, isAccepted });
    const present = isKnown ? await entries.atPresent(older) : null;
    // Store the content as its dates show it now, so that pages made of it have its version.
    if (present !== older && present !== null) return olderAtPresent(present);
    if (isKnown || !countsAsEmpty(request.type, error)) throw error;
    const { call, status } = error;
    const answer = emptyAnswer(request.type);
    const { entry } = await entries.decodeEntry(request, [answer], generatedAt, error);
    const empty = { call, status: status ?? 0 };
    const record = () => ({ generatedAt, answers: [answer.text], empty });
    // Keep the entry local, because other processes may know content that this one has never loaded.
    return { ...generated(entry, record, wasLoaded), isLocal: true };
  }

  /** Sets `generatedAt` back, so that content becomes stale at `endsAt`, in ms since the epoch. */
  function generatedBefore(loadedAt: number, endsAt: number | null): number {
    if (endsAt === null) return loadedAt;
    return Math.min(loadedAt, now() + endsAt - Date.now() - ttlMs);
  }

  return load;
}

/** Stores the entry in memory only, because the record on disk has all rows. */
function olderAtPresent(entry: CacheEntry<StoredContent>): GeneratedContent {
  return { ...generated(entry, null, false), servedStale: true, isLocal: true };
}

function generated(
  entry: CacheEntry<StoredContent>,
  record: GeneratedContent['record'],
  keepsOld: boolean,
): GeneratedContent {
  return {
    kind: 'entry',
    entry,
    isNegative: entry.value.value === null,
    servedStale: false,
    record,
    keepsOld,
    parts: entry.value.parts,
  };
}
