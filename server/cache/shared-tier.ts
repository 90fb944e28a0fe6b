import type { LogPosition } from './log-position.ts';

/** A record, and the place in the log of invalidations that its process had reached when the record's generation began. */
export interface SharedRecord<R> {
  readonly record: R;
  readonly position: LogPosition;
}

/** How long a record stays. */
export interface SharedLife {
  lifeMs: number;
  /** Whether a record that takes the place of another one stays as long as that one would have. */
  keepsLife?: boolean;
}

/**
 * A store that several processes share, between their memory and the content backend. Its calls never reject: a call that fails or times
 * out resolves as if the tier were empty.
 */
export interface SharedTier<R> {
  /** Whether this process knows of all invalidations. While it does not, no record counts as fresh. */
  readonly isCurrent: boolean;
  /** @returns the record of a key, or null. */
  get(key: string): Promise<SharedRecord<R> | null>;
  /** Stores a record for all processes. */
  put(key: string, record: SharedRecord<R>, life: SharedLife): Promise<void>;
  /** Makes the records of keys stay for a time in ms from now on. */
  extend(keys: readonly string[], lifeMs: number): Promise<void>;
  /** Removes the records of keys. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Reserves the loading of a key for this process, for a few seconds at most.
   *
   * @returns a function that ends the reservation, or null while another process has reserved the key.
   */
  lock(key: string): Promise<(() => Promise<void>) | null>;
}
