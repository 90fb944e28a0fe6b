/**
 * A store that several processes share, between their memory and the content backend. Its calls never reject: a call that fails or times
 * out resolves as if the tier were empty.
 */
export interface SharedTier<R> {
  /** @returns the record of a key, or null. */
  get(key: string): Promise<R | null>;
  /** Stores a record for all processes. @param lifeMs how long the record may be used, in ms. */
  put(key: string, record: R, lifeMs: number): Promise<void>;
  /** Removes the records of keys. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Reserves the loading of a key for this process, for a few seconds at most.
   *
   * @returns a function that ends the reservation, or null while another process has reserved the key.
   */
  lock(key: string): Promise<(() => Promise<void>) | null>;
}
