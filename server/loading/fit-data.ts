import { isObject } from '../wire/wire.ts';

/** The bytes for a page's data, as markup and as payload, in a document of 2 MB (decision 102). */
export const PAGE_ROOM = 1_750_000;
/** After the first cut, the rest of the data, such as breadcrumbs, may take this many bytes. */
const SPARE_BYTES = 100_000;
/** Estimated bytes of markup for each object, such as a card. */
const OBJECT_BYTES = 200;
const RENDITIONS_BYTES = 550;
const ADDED_BYTES = new Map(
  Object.entries({ a: 30, audio: 80, figure: 300, img: 150, oembed: 450, pre: 300, table: 150, video: 80 }),
);
/** Characters that become up to six characters in markup or JSON. */
const ESCAPED = /[&<>"'\\\t\n\u2028\u2029]/g;

/**
 * Goes through the data field by field, and cuts off the end of each list or text that exceeds `room` bytes.
 * `cutAt` is the first cut, such as `questions[12].answer`. Data that fits stays the same object.
 */
export function fitData<T extends object>(data: T, room: number): { data: T; cutAt: string | null } {
  let left = room;
  let cuts = 0;
  /** The path of the first cut, built from the inside: each enclosing object or list puts its key before. */
  let cutAt = '';

  function shorten(value: unknown): unknown {
    if (typeof value === 'string') left -= documentBytes(value);
    if (!Array.isArray(value)) return isObject(value) ? shortenFields(value) : value;
    const [tag, attributes, children] = value;
    if (typeof tag !== 'string' || !Array.isArray(children)) return shortenItems(value);
    left -= 3 * tag.length + 24 + (ADDED_BYTES.get(tag) ?? 0);
    return [tag, shorten(attributes), shortenItems(children)];
  }

  function shortenFields(fields: object): object {
    let fitted = fields;
    if ('scaled' in fields && fields.scaled === true && 'src' in fields)
      left -= RENDITIONS_BYTES + 10 * encodeURIComponent(String(fields.src)).length;
    for (const [key, field] of Object.entries(fields)) {
      const before = cuts;
      left -= 2 * key.length + 10;
      // Drop the table of contents after a cut, because it could name missing parts.
      const inner = key === 'headings' && cuts > 0 ? [] : shorten(field);
      if (inner !== field) fitted = { ...fitted, [key]: inner };
      if (before === 0 && cuts > 0) cutAt = `.${key}${cutAt}`;
    }
    return fitted;
  }

  function shortenItems(items: readonly unknown[]): readonly unknown[] {
    for (const [index, item] of items.entries()) {
      const before = cuts;
      if (isObject(item)) left -= OBJECT_BYTES;
      const fitted = shorten(item);
      const isCut = cuts > before;
      if (left >= 0 && !isCut) continue;
      if (!isCut) cuts += 1;
      if (before === 0 && isObject(item)) cutAt = `[${index}]${cutAt}`;
      if (cuts === 1) left = Math.max(left, SPARE_BYTES);
      return [...items.slice(0, index), ...(isCut ? [fitted] : [])];
    }
    return items;
  }

  // Safe: lists and texts were shortened, but no field changed its type.
  const fitted = shortenFields(data) as T;
  return cuts === 0 ? { data, cutAt: null } : { data: fitted, cutAt: cutAt.slice(1) };
}

export function documentBytes(text: string): number {
  return 2 * Buffer.byteLength(text) + 9 * (text.match(ESCAPED)?.length ?? 0);
}
