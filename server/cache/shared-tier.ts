/**
 * A store that several processes share, between their memory and the content backend. It is always optional: a call that fails or takes
 * too long resolves as if the tier were empty, so no caller has to handle an error of it.
 */
export interface SharedTier<R> {
  /** @returns the record of a key, or null. */
  get(key: string): Promise<R | null>;
  /** Stores a record for all processes. @param lifeMs how long it may be of use, in ms. */
  put(key: string, record: R, lifeMs: number): Promise<void>;
  /** Removes the records of keys. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Reserves the loading of a key for this process, for a few seconds at most.
   *
   * @returns a function that ends the reservation, or null while another process holds it.
   */
  lock(key: string): Promise<(() => Promise<void>) | null>;
}
