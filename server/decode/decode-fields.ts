import type { Image, ImageFormat } from '../../shared/content/image.ts';
import type { JsonObject } from '../../shared/content/json.ts';
import type { ContentLink, LabelledFile, LowerLink, NavigationLink } from '../../shared/content/links.ts';
import type { RichText } from '../../shared/content/rich-text.ts';
import { ok, type Result } from '../../shared/result.ts';
import { hrefAt, mediumAt } from '../addresses/decode-addresses.ts';
import { isExecutableAddress, safeSlug } from '../addresses/safe-address.ts';
import type { ProblemKind } from '../ops/log-codes.ts';
import { mapSteps, type Steps } from '../ops/slices.ts';
import { unsizedPictures, versionFiles } from '../rich-text/nodes/read-rich-text.ts';
import { cutText } from '../wire/cut-nodes.ts';
import {
  atEntry,
  atRow,
  type ContentPlace,
  type DecodeContext,
  inside,
  isGiven,
  lose,
  noted,
  quoted,
  shownItems,
} from '../wire/decode-context.ts';
import { type Item, itemsAt, jsonAt, loseItem, notShown, objectsAt, textAt } from '../wire/decode-json.ts';
import { isScaled } from '../wire/is-scaled.ts';
import { dateOf, entryOf, isObject, jsonOf, rowsOf, textOf, unwrap, type WireEntry } from '../wire/wire.ts';

export interface RowProblem {
  reason: string;
  field: string | null;
}

/** Decodes one row, or fails with the reason why it cannot be shown. The context names the row's place. */
export type DecodeRow<T> = (row: unknown, context: DecodeContext) => Result<T, RowProblem>;

export function mappedRow<T, R>(
  decodeRow: DecodeRow<T>,
  map: (value: T, context: DecodeContext, row: unknown) => R,
): DecodeRow<R> {
  return (row, context) => {
    const decoded = decodeRow(row, context);
    return decoded.ok ? ok(map(decoded.value, context, row)) : decoded;
  };
}

export function* rowSteps<T>(
  type: string,
  rows: readonly unknown[],
  decodeRow: DecodeRow<T>,
  context: DecodeContext,
): Steps<T[]> {
  const decoded = yield* mapSteps(rows, row => {
    const entry = entryOf(row);
    const own = atRow(atEntry(context), placeOf(type, entry));
    return own.isShown(entry?.attributes ?? {}, own) ? rowOrReport(type, row, decodeRow, own) : [];
  });
  return decoded.flat();
}

/** Decodes rows inside a row, such as a relation. Null and a missing value become an empty list. */
export function decodeRelated<T>(
  type: string,
  value: unknown,
  decodeRow: DecodeRow<T>,
  context: DecodeContext,
): readonly T[] {
  return relatedRows(value, context).flatMap(([row, at]) => rowOrReport(type, row, decodeRow, at));
}

/** @returns the rows of a relation that may be shown, with their places. */
function relatedRows(value: unknown, context: DecodeContext): readonly Item<unknown, DecodeContext>[] {
  const rows = shownItems(rowsOf(value) ?? [], context);
  return rows.map((row, index) => [row, inside(context, index)]);
}

export function decodeRelation<T>(
  type: string,
  value: unknown,
  decodeRow: DecodeRow<T>,
  context: DecodeContext,
): T | null {
  const row = unwrap(value);
  return row === null || row === undefined ? null : (rowOrReport(type, row, decodeRow, context)[0] ?? null);
}

function rowOrReport<T>(type: string, row: unknown, decodeRow: DecodeRow<T>, context: DecodeContext): T[] {
  const at = atRow(context, placeOf(type, entryOf(row)));
  const decoded = decodeRow(row, at);
  if (decoded.ok) return [decoded.value];
  const { reason, field } = decoded.error;
  lose(field === null ? at : inside(at, field), 'row-left-out', reason);
  return [];
}

export function placeOf(type: string, entry: WireEntry | null): Omit<ContentPlace, 'field'> {
  const updatedAt = entry?.attributes.updatedAt;
  return { type, id: entry?.id ?? null, updatedAt: typeof updatedAt === 'string' ? updatedAt : null };
}

export function dateAt(value: unknown, context: DecodeContext): string | null {
  const date = dateOf(value);
  if (date === null && isGiven(value))
    lose(context, 'value-left-out', notShown(value, 'a date such as 2025-05-06'));
  return date;
}

export function slugAt(value: unknown, context: DecodeContext): string | null {
  const text = textAt(value, context);
  const slug = safeSlug(text);
  if (slug === null && text !== null)
    lose(
      context,
      'value-left-out',
      `${quoted(text)} is no slug: it needs at most 200 letters without a slash`,
    );
  return slug;
}

export function flagAt(value: unknown, context: DecodeContext): boolean {
  if (typeof value !== 'boolean' && isGiven(value))
    lose(context, 'value-left-out', `${quoted(value)} is neither true nor false: it counts as false`);
  return value === true;
}

/** Decodes a number. Editors write JSON by hand, so a number may be a text: `"1250000"`. */
export function numberAt(value: unknown, context: DecodeContext): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  if (isGiven(number)) lose(context, 'value-left-out', notShown(value, 'a number such as 1250000'));
  return null;
}

export function choiceAt(value: unknown, context: DecodeContext, of: readonly string[]): string | null {
  const chosen = of.find(one => one === value) ?? null;
  if (chosen === null && isGiven(value))
    lose(context, 'value-left-out', notShown(value, `one of ${of.join(', ')}`));
  return chosen;
}

/** Decodes a list of texts, bare or as components with a field `text`. Reports other items. */
export function textsAt(value: unknown, context: DecodeContext): readonly string[] {
  return itemsAt(value, context).flatMap(([item, at]) => {
    const isComponent = isObject(item) && Object.hasOwn(item, 'text');
    const place = isComponent ? inside(at, 'text') : at;
    return noted('text', textAt(isComponent ? item.text : item, place), place) ?? [];
  });
}

/** Decodes rich text. Reports all differences between the editor's text and the page. */
export function richTextAt(value: unknown, context: DecodeContext): RichText {
  const loseHere = (kind: ProblemKind, reason: string) => lose(context, kind, reason);
  const { left } = context.texts;
  const { tree, size } = cutText(context.richText(value, loseHere), left, loseHere);
  context.texts.left = { nodes: left.nodes - size.nodes, characters: left.characters - size.characters };
  versionFiles(tree, context.withVersion);
  for (const picture of unsizedPictures(tree)) context.unsized(picture);
  return noted('rich-text', tree, context);
}

/** Decodes a picture: bare, inside `{data}`, or the first of a list. Null if missing or refused. */
export function imageOf(value: unknown, context: DecodeContext): Image | null {
  const bare = unwrap(value);
  const attributes = mediaAttributes(Array.isArray(bare) ? bare[0] : bare);
  const src = attributes && addressOfMedium(attributes, context);
  if (!attributes || !src) return null;
  const width = pixelsOf(attributes.width);
  const height = pixelsOf(attributes.height);
  // Strapi counts in kilobytes of 1,000 bytes.
  const bytes = typeof attributes.size === 'number' ? attributes.size * 1_000 : undefined;
  const scaled = isScaled(src, width, height, bytes);
  return {
    src,
    alt: textOf(attributes.alternativeText) ?? '',
    width,
    height,
    // Use the site's renditions in AVIF and WebP, which are far smaller than the backend's.
    formats: scaled ? [] : formatsOf(attributes, context),
    scaled,
    ...focusOf(attributes.focalPoint),
  };
}

/** Decodes Strapi's focal point, in percent of width and height, and rounds it to steps of 25 %. */
function focusOf(value: unknown): Pick<Image, 'focus'> {
  const { x, y } = isObject(value) ? value : {};
  const isWithin = [x, y].every(part => typeof part === 'number' && part >= 0 && part <= 100);
  return isWithin ? { focus: `${Math.round(Number(x) / 25)}-${Math.round(Number(y) / 25)}` } : {};
}

/** Decodes a media file whose size the page does not need, such as an icon, stylesheet or script. */
export function mediaAddressOf(value: unknown, context: DecodeContext): string | null {
  const bare = unwrap(value);
  if (typeof bare === 'string') return mediumAt(bare, context);
  const first: unknown = Array.isArray(bare) ? bare[0] : bare;
  const attributes = mediaAttributes(first);
  if (attributes) return addressOfMedium(attributes, context);
  if (isGiven(first)) lose(context, 'value-left-out', notShown(first, 'a file or its address'));
  return null;
}

function addressOfMedium(attributes: Record<string, unknown>, context: DecodeContext): string | null {
  if (!isGiven(attributes.url)) lose(context, 'value-left-out', 'a file without an address is not shown');
  return noted('file', mediumAt(attributes.url, context, changeOf(attributes)), context);
}

/** @returns the time of the last change after the upload, in ISO 8601; null for no change. */
function changeOf({ createdAt, updatedAt }: Record<string, unknown>): string | null {
  return createdAt === updatedAt ? null : dateOf(updatedAt);
}

export function mediaAddressesOf(value: unknown, context: DecodeContext): readonly string[] {
  return relatedRows(value, context).flatMap(([row, at]) => mediaAddressOf(row, at) ?? []);
}

export function labelledFilesOf(value: unknown, context: DecodeContext): readonly LabelledFile[] {
  return relatedRows(value, context).flatMap(([row, at]) => {
    const src = mediaAddressOf(row, at);
    const { caption, alternativeText } = mediaAttributes(row) ?? {};
    const words = noted('text', textOf(caption), context);
    return src ? [{ src, caption: words, alt: textOf(alternativeText) ?? '' }] : [];
  });
}

/** Reads a media file's attributes. In JSON fields editors write them by hand, without an id. */
function mediaAttributes(value: unknown): Record<string, unknown> | null {
  const entry = entryOf(value);
  if (entry) return entry.attributes;
  return isObject(value) ? value : null;
}

function formatsOf(attributes: Record<string, unknown>, context: DecodeContext): readonly ImageFormat[] {
  const formats = jsonOf(attributes.formats);
  if (!isObject(formats)) return [];
  return Object.values(formats)
    .flatMap((format: unknown): ImageFormat[] => {
      if (!isObject(format)) return [];
      const src = context.mediaAddress(format.url);
      const width = pixelsOf(format.width);
      const height = pixelsOf(format.height);
      if (!src || !width || !height) return [];
      return [{ src: context.withVersion(src, changeOf(attributes)), width, height }];
    })
    .sort((a, b) => a.width - b.width);
}

function pixelsOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : null;
}

/** The keys of a link below another link. The address may be in `href` or `link`. */
const LINK_KEYS: readonly string[] = ['title', 'href', 'icon', 'text', 'link'];

/** Decodes navigation. A title without an address gets the address of the first link below it. */
export function navigationOf(value: unknown, context: DecodeContext): readonly NavigationLink[] {
  return objectsAt(value, context, ['title', 'href', 'icon', 'children', 'link']).flatMap(
    ([item, at]): NavigationLink[] => {
      const children = objectsAt(item.children, inside(at, 'children'), LINK_KEYS).flatMap(
        ([child, below]): LowerLink[] => {
          const link = linkOf(child, below, 'a link', null);
          const at = inside(below, 'text');
          const text = noted('text', textAt(child.text, at), at);
          return link ? [{ ...link, ...(text && { text }) }] : [];
        },
      );
      const link = linkOf(item, at, 'a link, with all links below it,', children[0]?.href ?? null);
      return link ? [{ ...link, children }] : [];
    },
  );
}

function linkOf(
  item: JsonObject,
  context: DecodeContext,
  noun: string,
  otherwise: string | null,
): ContentLink | null {
  const at = inside(context, 'title');
  const title = noted('text', textAt(item.title, at), at);
  const effect = otherwise ? `the title leads to '${otherwise}'` : 'the link is not shown';
  const href = hrefAt(item.href ?? item.link, inside(context, 'href'), effect) ?? otherwise;
  const icon = mediaAddressOf(item.icon, inside(context, 'icon'));
  if (title && href) return { title, href, icon };
  loseItem(context, item, noun, 'a title and an address');
  return null;
}

/** The longest JSON-LD block, in characters. Search engines read a few thousand. */
const MAX_SCHEMA = 200_000;

/**
 * @returns JSON-LD without executable addresses, such as `javascript:`. Null if the block is missing, broken
 * or too long.
 */
export function schemaOf(value: unknown, context: DecodeContext): string | null {
  const schema = jsonAt(value, context);
  if (!isObject(schema) && !Array.isArray(schema)) {
    if (isGiven(schema)) lose(context, 'value-left-out', notShown(schema, 'an object of JSON-LD'));
    return null;
  }
  let refused: unknown;
  try {
    // Check the length first: without a replacer function, `stringify` is ten times as fast.
    const isTooLong = JSON.stringify(schema).length > MAX_SCHEMA;
    const json = JSON.stringify(isTooLong ? null : schema, (key, inner: unknown) => {
      // Leave out dangerous keys and addresses, because programs that read the block may merge it or open its
      // addresses.
      if (key !== '__proto__' && !isExecutableAddress(inner))
        return typeof inner === 'string' ? context.withVersion(inner) : inner;
      refused ??= inner;
      return undefined;
    });
    if (isTooLong) {
      lose(context, 'value-left-out', `the JSON-LD has more than ${MAX_SCHEMA} characters and is left out`);
      return null;
    }
    if (refused !== undefined)
      lose(context, 'value-left-out', `${quoted(refused)} is left out of the JSON-LD`);
    return json;
  } catch {
    // `JSON.stringify` recurses, so it may overflow on a value that `JSON.parse` accepted.
    lose(context, 'value-left-out', 'the JSON-LD is nested too deeply and is left out');
    return null;
  }
}
