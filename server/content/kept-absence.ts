import type { CacheEntry } from '../cache/entry-store.ts';
import type { Revive } from '../cache/generated.ts';
import type { InvalidationLog } from '../cache/invalidation-log.ts';
import type { Absence, KeptAbsences } from '../cache/kept-absences.ts';
import type { SharedTier } from '../cache/shared-tier.ts';
import type { ContentRecord } from './content-record.ts';
import { ABSENT_VERSION, type ContentRequest } from './content-request.ts';
import type { StoredContent } from './stored-content.ts';

export interface AbsencesOptions {
  kept: KeptAbsences | undefined;
  shared: SharedTier<ContentRecord> | undefined;
  invalidations: InvalidationLog;
  /** How long an absence stands in, in ms. */
  lifeMs: number;
  now: () => number;
}

type AbsentEntry = CacheEntry<StoredContent>;

/** The absences that stored pages depend on: of this process, and of those that share a store with it. */
export interface Absences {
  keep(absences: readonly Absence[]): void;
  /** Forgets an absence: the content exists now. */
  remove(key: string): void;
  /** @returns the entry of an absence; null without one or when it is too old. */
  entryOf(
    request: ContentRequest<object | null>,
    revive: Revive<StoredContent, ContentRecord>,
  ): Promise<AbsentEntry | null>;
}

export function createAbsences({ kept, shared, invalidations, lifeMs, now }: AbsencesOptions): Absences {
  function ownEntry(request: ContentRequest<object | null>): AbsentEntry | null {
    const absence = kept?.get(request.key);
    if (!absence || now() - absence.generatedAt >= lifeMs) return null;
    const { tags, generatedAt } = absence;
    return {
      value: {
        ...{ value: null, version: ABSENT_VERSION, answersDigest: '', bytes: 0, rows: 0 },
        ...{ isProvisional: false, emptyBecause: null, decides: [], parts: new Map(), request },
      },
      ...{ tags, about: null, generatedAt },
      invalidated: invalidations.since(tags, generatedAt),
    };
  }

  return {
    keep(absences) {
      if (absences.length === 0) return;
      kept?.keep(absences);
      const keys = absences.map(({ key }) => key);
      void shared?.extend(keys, lifeMs);
    },
    remove: key => kept?.remove(key),
    async entryOf(request, revive) {
      const own = ownEntry(request);
      if (own || !shared) return own;
      const found = await shared.get(request.key);
      const entry = found && (await revive(found.record));
      return entry && entry.value.value === null && now() - entry.generatedAt < lifeMs ? entry : null;
    },
  };
}
