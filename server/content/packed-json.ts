/** Values of more bytes stay objects: packing and reading a larger one would take too long for one turn of the event loop. */
const MAX_PACKED_BYTES = 256 * 1024;

/**
 * Plain JSON as a text, for values that are read seldom: as objects, the tree of a rich text takes four times as much memory. The text has one
 * character for each byte of UTF-8. V8 would store a text with one character beyond Latin-1, such as a dash, in two bytes for each character.
 */
export class PackedJson {
  readonly #bytes: string;

  constructor(value: object) {
    this.#bytes = Buffer.from(JSON.stringify(value)).toString('latin1');
  }

  /** @returns a new copy of the value. */
  read(): object {
    return JSON.parse(Buffer.from(this.#bytes, 'latin1').toString());
  }
}

/** @param bytes the value's size as JSON. @returns the value, packed unless it is too large. */
export function packed(value: object | null, bytes: number): object | null {
  return value === null || bytes > MAX_PACKED_BYTES ? value : new PackedJson(value);
}

/** @returns a value that may be packed. */
export function unpacked(kept: object | null): object | null {
  return kept instanceof PackedJson ? kept.read() : kept;
}
