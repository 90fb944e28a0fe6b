import type { LogPosition } from './tags/log-position.ts';

/** A record with the shared log position at which its generation began. */
export interface SharedRecord<R> {
  readonly record: R;
  readonly position: LogPosition;
}

export interface SharedLife {
  lifeMs: number;
  /** Whether the record keeps the expiry of the one that it replaces. */
  keepsLife?: boolean;
}

/** A store between memory and backend. Calls never reject; a failed call finds nothing. */
export interface SharedTier<R> {
  /** Whether this process knows all invalidations. Otherwise no record counts as fresh. */
  readonly isCurrent: boolean;
  get(key: string): Promise<SharedRecord<R> | null>;
  put(key: string, record: SharedRecord<R>, life: SharedLife): Promise<void>;
  extend(keys: readonly string[], lifeMs: number): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /** Locks a key for seconds. @returns a function that unlocks it; null if another process has the lock. */
  lock(key: string): Promise<(() => Promise<void>) | null>;
}
