import type { NegativeEntries, NegativeEntry } from '../../cache/disk/negative-entries.ts';
import type { CacheEntry } from '../../cache/entry-store.ts';
import type { Revive } from '../../cache/generated.ts';
import type { SharedTier } from '../../cache/shared-tier.ts';
import type { InvalidationLog } from '../../cache/tags/invalidation-log.ts';
import { NO_DATES } from '../../decode/shown-dates.ts';
import { ABSENT_VERSION, type ContentRequest } from '../requests/content-request.ts';
import type { ContentRecord } from './content-record.ts';
import type { StoredContent } from './stored-content.ts';

interface NegativesOptions {
  kept: NegativeEntries | undefined;
  shared: SharedTier<ContentRecord> | undefined;
  invalidations: InvalidationLog;
  lifeMs: number;
  now: () => number;
}

type NegativeContent = CacheEntry<StoredContent>;

export type Negatives = ReturnType<typeof createNegatives>;

export function createNegatives({ kept, shared, invalidations, lifeMs, now }: NegativesOptions) {
  function ownEntry(request: ContentRequest<object | null>): NegativeContent | null {
    const negative = kept?.get(request.key);
    if (!negative || now() - negative.generatedAt >= lifeMs) return null;
    const { tags, generatedAt } = negative;
    return {
      value: {
        ...{ value: null, version: ABSENT_VERSION, answersDigest: '', bytes: 0, rows: 0 },
        ...{ isProvisional: false, emptyBecause: null, decides: [], parts: new Map(), request },
        ...{ dates: NO_DATES, texts: [] },
      },
      ...{ tags, about: null, generatedAt },
      invalidated: invalidations.since(tags, generatedAt),
    };
  }

  return {
    keep(negatives: readonly NegativeEntry[]) {
      if (negatives.length === 0) return;
      kept?.keep(negatives);
      const keys = negatives.map(({ key }) => key);
      void shared?.extend(keys, lifeMs);
    },
    remove: (key: string) => kept?.remove(key),
    async entryOf(
      request: ContentRequest<object | null>,
      revive: Revive<StoredContent, ContentRecord>,
    ): Promise<NegativeContent | null> {
      const own = ownEntry(request);
      if (own || !shared) return own;
      const found = await shared.get(request.key);
      const entry = found && (await revive(found.record));
      return entry && entry.value.value === null && now() - entry.generatedAt < lifeMs ? entry : null;
    },
  };
}
