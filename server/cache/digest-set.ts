/** Hexadecimal digits of a digest that choose its bit. */
const DIGITS = 5;
const BYTES = 16 ** DIGITS / 8;

/**
 * A set of digests in 128 KiB, whatever their number (a Bloom filter). It has every digest that was added, and of 50,000 it takes one other digest in
 * twenty for one of its own.
 */
export class DigestSet {
  readonly #bits = new Uint8Array(BYTES);

  /** @param digest hexadecimal. */
  add(digest: string): void {
    const { byte, mask } = placeOf(digest);
    this.#bits[byte] = (this.#bits[byte] ?? 0) | mask;
  }

  /** @returns false for a digest that was never added. */
  mayHave(digest: string): boolean {
    const { byte, mask } = placeOf(digest);
    return ((this.#bits[byte] ?? 0) & mask) !== 0;
  }
}

function placeOf(digest: string): { byte: number; mask: number } {
  const bit = Number.parseInt(digest.slice(0, DIGITS), 16);
  return { byte: bit >> 3, mask: 1 << (bit & 7) };
}
