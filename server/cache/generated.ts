import type { CacheEntry } from './entry-store.ts';

/** The result of generating a value. */
export type Generated<V, R = unknown> =
  | {
      kind: 'entry';
      entry: CacheEntry<V>;
      isNegative: boolean;
      /** Whether the value contains stale content because the backend failed. */
      servedStale: boolean;
      /** Returns the record for the disk and the shared tier; null for a value that stays in memory alone. */
      record: (() => R) | null;
      /** Whether the record that this one replaces may be wanted back, because the value has lost content. */
      keepsOld?: boolean;
      /** Whether other processes must not get the value. */
      isLocal?: boolean;
    }
  /** The value lacks content that failed to load. It answers the waiting readers and is not stored. */
  | { kind: 'partial'; entry: CacheEntry<V> }
  /** The key's address redirects now, so its entry is removed. */
  | { kind: 'moved' };

/** Turns a record into an entry. @returns null for a record that can no longer be used. */
export type Revive<V, R> = (record: R) => Promise<CacheEntry<V> | null>;
