import { createHash } from 'node:crypto';
import type { Steps } from '../ops/turns.ts';
import { mediaPaths } from './content-tags.ts';

/** Decoded content, copied. */
export interface CopiedContent<P> {
  plain: P;
  /** 22 characters in base64url: the first 132 bits of the SHA-256 of the value as JSON, without its `attributes`. */
  version: string;
  /** The value's size as JSON in bytes. */
  bytes: number;
  /** The addresses of the media files in the value, with their versions. */
  files: ReadonlySet<string>;
}

/**
 * Copies decoded content piece by piece: the items of a list, the fields of an entry, the items of its lists. V8 keeps the whole of a text
 * in memory for any part cut out of it, and decoding cuts many parts. JSON.parse makes copies.
 *
 * A single type has its complete record in `attributes`, because the product specification asks for it. No page reads the record, so it is
 * no part of the version: a change in it alone must not render pages again.
 *
 * @param decoded plain JSON.
 * @param onPiece called with each piece as JSON.
 * @param onTooDeep called with the name of each field of `attributes` that is nested too deeply to be written as JSON. It is left out.
 */
export function* copiedContent<P>(
  decoded: P,
  onPiece: (json: string) => void = () => {},
  onTooDeep: (field: string) => void = () => {},
): Steps<CopiedContent<P>> {
  const hash = createHash('sha256');
  const files = new Set<string>();
  let bytes = 0;

  /** @param json a text of JSON. @param isRead whether a page may read it. */
  function note(json: string, isRead: boolean): void {
    if (isRead) hash.update(json);
    bytes += Buffer.byteLength(json);
  }

  function* piece(value: unknown, isRead: boolean): Steps<unknown> {
    const json = JSON.stringify(value ?? null);
    yield;
    note(json, isRead);
    onPiece(json);
    for (const path of mediaPaths(json)) files.add(path);
    yield;
    const copy: unknown = JSON.parse(json);
    yield;
    return copy;
  }

  function* list(items: readonly unknown[], isRead: boolean): Steps<unknown[]> {
    const copy: unknown[] = [];
    note('[', isRead);
    for (const item of items) {
      if (copy.length > 0) note(',', isRead);
      copy.push(yield* piece(item, isRead));
    }
    note(']', isRead);
    return copy;
  }

  function* fields(entry: object, isRead: boolean): Steps<object> {
    const copy: [string, unknown][] = [];
    note('{', isRead);
    let separator = '';
    for (const [name, value] of Object.entries(entry)) {
      if (value === undefined) continue;
      const isShown = isRead && name !== 'attributes';
      note(`${separator}${JSON.stringify(name)}:`, isShown);
      if (isShown) separator = ',';
      if (Array.isArray(value)) copy.push([name, yield* list(value, isShown)]);
      else if (name === 'attributes') copy.push([name, yield* record(value)]);
      else copy.push([name, yield* piece(value, isShown)]);
    }
    note('}', isRead);
    return Object.fromEntries(copy);
  }

  function* record(attributes: object): Steps<object> {
    const copy: [string, unknown][] = [];
    for (const [name, value] of Object.entries(attributes)) {
      try {
        copy.push([name, yield* piece(value, false)]);
      } catch (error) {
        // JSON.stringify recurses, although JSON.parse has read the value.
        if (!(error instanceof RangeError)) throw error;
        onTooDeep(name);
      }
    }
    return Object.fromEntries(copy);
  }

  const plain = Array.isArray(decoded)
    ? yield* list(decoded, true)
    : typeof decoded === 'object' && decoded !== null
      ? yield* fields(decoded, true)
      : yield* piece(decoded, true);
  // The copy is the same value, because decoded content is plain JSON.
  return { plain: plain as P, version: hash.digest('base64url').slice(0, 22), bytes, files };
}
