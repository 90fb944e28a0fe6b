import type { CacheEntry } from './entry-store.ts';
import type { InvalidationLog } from './tags/invalidation-log.ts';

export type Generated<V, R = unknown> =
  | {
      kind: 'entry';
      entry: CacheEntry<V>;
      isNegative: boolean;
      /** Whether the value contains stale content because the backend failed. */
      servedStale: boolean;
      /** Returns the record for the disk and the shared tier; null for a value that stays in memory. */
      record: ((entry: CacheEntry<V>) => R) | null;
      /** Whether the replaced record is soft-deleted, because the value has lost content. */
      keepsOld?: boolean;
      /** Whether other processes must not get the value. */
      isLocal?: boolean;
      /** The tags of a list's entries, by name, if the tags of the list itself do not include them. */
      parts?: ReadonlyMap<string, string>;
    }
  /** The value lacks content that failed to load. It answers the waiting readers and is not stored. */
  | { kind: 'partial'; entry: CacheEntry<V> }
  /** The address redirects now, so its entry is removed. */
  | { kind: 'moved' };

/** Turns a record into an entry, or null for a record that can no longer be used. */
export type Revive<V, R> = (record: R) => Promise<CacheEntry<V> | null>;

export type GeneratedEntry<V, R> = Extract<Generated<V, R>, { kind: 'entry' }>;

/** A value invalidated during its generation may be stored as stale if none of it was removed. */
export function mayBeStale(
  { entry, isNegative, parts }: Pick<GeneratedEntry<unknown, unknown>, 'entry' | 'isNegative' | 'parts'>,
  invalidations: Pick<InvalidationLog, 'removedAfter'>,
  mark: number,
): boolean {
  return !isNegative && !invalidations.removedAfter([...entry.tags, ...(parts?.keys() ?? [])], mark);
}

/** Makes the entry of an outcome stale from the start. */
export function asInvalidated<T extends { kind: string; entry?: CacheEntry<unknown> }>(outcome: T): T {
  return outcome.entry ? { ...outcome, entry: { ...outcome.entry, invalidated: true } } : outcome;
}
