/** Pauses that double from `firstMs` to `longestMs`. */
export class BackOff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #failures = 0;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** Counts a failure. @returns the next pause, in ms. */
  failed(): number {
    this.#failures += 1;
    return this.after(this.#failures);
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** @returns the pause after a number of consecutive failures, in ms. */
  after(failures: number): number {
    return Math.min(this.#firstMs * 2 ** (failures - 1), this.#longestMs);
  }
}
