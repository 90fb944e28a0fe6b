import type { LogPosition } from './tags/log-position.ts';

/** A record, and the position in the shared log when its generation began. */
export interface SharedRecord<R> {
  readonly record: R;
  readonly position: LogPosition;
}

export interface SharedLife {
  lifeMs: number;
  /** Whether the record expires with the one that it replaces. */
  keepsLife?: boolean;
}

/** A store between memory and backend. Its calls never reject: a failed one resolves as if it were empty. */
export interface SharedTier<R> {
  /** Whether this process knows of all invalidations. While it does not, no record counts as fresh. */
  readonly isCurrent: boolean;
  get(key: string): Promise<SharedRecord<R> | null>;
  put(key: string, record: SharedRecord<R>, life: SharedLife): Promise<void>;
  /** Makes records stay for `lifeMs` from now on. */
  extend(keys: readonly string[], lifeMs: number): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Reserves a key's loading for seconds. Resolves with the release, or null while another process has it.
   */
  lock(key: string): Promise<(() => Promise<void>) | null>;
}
