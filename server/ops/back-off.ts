/** Pauses that double: `firstMs`, then twice as long each time, up to `longestMs`. */
export class BackOff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #failures = 0;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** Counts a failure. @returns the pause after it, in ms. */
  failed(): number {
    this.#failures += 1;
    return this.after(this.#failures);
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** The pause after a number of failures in a row, in ms. */
  after(failures: number): number {
    return Math.min(this.#firstMs * 2 ** (failures - 1), this.#longestMs);
  }
}
