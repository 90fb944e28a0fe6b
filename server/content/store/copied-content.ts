import { createHash } from 'node:crypto';
import { entryLinksIn } from '../../addresses/entry-links.ts';
import type { Steps } from '../../ops/slices.ts';
import { mediaPaths } from '../tags/media-tags.ts';

interface CopiedContent<P> {
  plain: P;
  version: string;
  bytes: number;
  files: ReadonlySet<string>;
  links: ReadonlySet<string>;
}

/**
 * Copies decoded content piece by piece, by JSON.stringify and JSON.parse. Without a copy, V8 keeps the whole
 * response in memory for any part of its text. The version ignores `attributes`, because no page reads it.
 * @param onTooDeep called with each field of `attributes` that is too deep to write.
 */
export function* copiedContent<P>(
  decoded: P,
  onPiece: (json: string) => void = () => {},
  onTooDeep: (field: string) => void = () => {},
): Steps<CopiedContent<P>> {
  const hash = createHash('sha256');
  const files = new Set<string>();
  const links = new Set<string>();
  let bytes = 0;

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
    for (const link of entryLinksIn(json)) links.add(link);
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

  function* fields(entry: object): Steps<object> {
    const copy: [string, unknown][] = [];
    note('{', true);
    let separator = '';
    for (const [name, value] of Object.entries(entry)) {
      if (value === undefined) continue;
      const isShown = name !== 'attributes';
      note(`${separator}${JSON.stringify(name)}:`, isShown);
      if (isShown) separator = ',';
      if (Array.isArray(value)) copy.push([name, yield* list(value, isShown)]);
      else if (name === 'attributes') copy.push([name, yield* record(value)]);
      else copy.push([name, yield* piece(value, isShown)]);
    }
    note('}', true);
    return Object.fromEntries(copy);
  }

  function* record(attributes: object): Steps<object> {
    const copy: [string, unknown][] = [];
    for (const [name, value] of Object.entries(attributes)) {
      try {
        copy.push([name, yield* piece(value, false)]);
      } catch (error) {
        // JSON.stringify may overflow the stack on a value that JSON.parse accepted.
        if (!(error instanceof RangeError)) throw error;
        onTooDeep(name);
      }
    }
    return Object.fromEntries(copy);
  }

  const plain = Array.isArray(decoded)
    ? yield* list(decoded, true)
    : typeof decoded === 'object' && decoded !== null
      ? yield* fields(decoded)
      : yield* piece(decoded, true);
  // The cast is safe: decoded content is plain JSON, so the copy equals it.
  return { plain: plain as P, version: hash.digest('base64url').slice(0, 22), bytes, files, links };
}
