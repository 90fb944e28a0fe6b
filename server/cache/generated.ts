import type { CacheEntry } from './entry-store.ts';
import type { InvalidationLog } from './tags/invalidation-log.ts';

export type Generated<V, R = unknown> =
  | {
      kind: 'entry';
      entry: CacheEntry<V>;
      isNegative: boolean;
      /** Whether the value contains stale content after a failure of the backend. */
      servedStale: boolean;
      /** Returns the record for the disk and shared tiers; null if the value stays in memory only. */
      record: ((entry: CacheEntry<V>) => R) | null;
      /** Whether to soft-delete the replaced record, because the new value has lost content. */
      keepsOld?: boolean;
      /** Whether the value must not reach other processes. */
      isLocal?: boolean;
      /** Tags of a list's entries, by name, if the list's own tags do not cover the entries. */
      parts?: ReadonlyMap<string, string>;
    }
  /** The value lacks content that failed to load. Waiting readers get it, and it is not stored. */
  | { kind: 'partial'; entry: CacheEntry<V> }
  /** The address is now a redirect, so its entry is removed. */
  | { kind: 'moved' };

export type Revive<V, R> = (record: R) => Promise<CacheEntry<V> | null>;

export type GeneratedEntry<V, R> = Extract<Generated<V, R>, { kind: 'entry' }>;

/** Whether to store a value invalidated during generation: not if negative, or if its content was removed. */
export function mayBeStale(
  { entry, isNegative, parts }: Pick<GeneratedEntry<unknown, unknown>, 'entry' | 'isNegative' | 'parts'>,
  invalidations: Pick<InvalidationLog, 'removedAfter'>,
  mark: number,
): boolean {
  return !isNegative && !invalidations.removedAfter([...entry.tags, ...(parts?.keys() ?? [])], mark);
}

export function asInvalidated<T extends { kind: string; entry?: CacheEntry<unknown> }>(outcome: T): T {
  return outcome.entry ? { ...outcome, entry: { ...outcome.entry, invalidated: true } } : outcome;
}
