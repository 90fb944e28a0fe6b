import type { CacheEntry } from './entry-store.ts';
import type { InvalidationLog } from './invalidation-log.ts';

/** The result of generating a value. */
export type Generated<V, R = unknown> =
  | {
      kind: 'entry';
      entry: CacheEntry<V>;
      isNegative: boolean;
      /** Whether the value contains stale content because the backend failed. */
      servedStale: boolean;
      /** Returns the record of an entry for the disk and the shared tier; null for a value that stays in memory alone. */
      record: ((entry: CacheEntry<V>) => R) | null;
      /** Whether the record that this one replaces may be wanted back, because the value has lost content. */
      keepsOld?: boolean;
      /** Whether other processes must not get the value. */
      isLocal?: boolean;
      /** The tags of entries in a list, by their names, if the list does not carry them. */
      parts?: ReadonlyMap<string, string>;
    }
  /** The value lacks content that failed to load. It answers the waiting readers and is not stored. */
  | { kind: 'partial'; entry: CacheEntry<V> }
  /** The key's address redirects now, so its entry is removed. */
  | { kind: 'moved' };

/** Turns a record into an entry. @returns null for a record that can no longer be used. */
export type Revive<V, R> = (record: R) => Promise<CacheEntry<V> | null>;

/** A generated value that may be stored. */
export type GeneratedEntry<V, R> = Extract<Generated<V, R>, { kind: 'entry' }>;

/** @returns whether a value that was invalidated during its generation may be stored as stale: it exists, and none of it was removed meanwhile. */
export function mayBeStale(
  { entry, isNegative, parts }: Pick<GeneratedEntry<unknown, unknown>, 'entry' | 'isNegative' | 'parts'>,
  invalidations: Pick<InvalidationLog, 'removedAfter'>,
  mark: number,
): boolean {
  return !isNegative && !invalidations.removedAfter([...entry.tags, ...(parts?.keys() ?? [])], mark);
}

/** @returns an outcome whose entry is stale from the start. */
export function asInvalidated<T extends { kind: string; entry?: CacheEntry<unknown> }>(outcome: T): T {
  return outcome.entry ? { ...outcome, entry: { ...outcome.entry, invalidated: true } } : outcome;
}
