import { componentKeys } from '../../../shared/content/components.ts';
import type { Image, ImageFormat } from '../../../shared/content/image.ts';
import type { JsonObject } from '../../../shared/content/json.ts';
import type { LabelledIcon } from '../../../shared/content/landing.ts';
import type { ContentLink, NavigationLink, Question } from '../../../shared/content/links.ts';
import type { RichText } from '../../../shared/content/rich-text.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isScaled } from '../../media/is-scaled.ts';
import { atOnce, mapSteps, type Steps } from '../../ops/turns.ts';
import { cutText } from '../rich-text/cut-nodes.ts';
import { unsizedPictures, versionFiles } from '../rich-text/read-rich-text.ts';
import { isExecutableAddress, safeSlug } from '../safe-address.ts';
import { hrefAt, mediumAt } from './decode-addresses.ts';
import {
  atEntry,
  atRow,
  type ContentPlace,
  type DecodeContext,
  inside,
  isGiven,
  lose,
  MAX_ITEMS,
  type ProblemKind,
  quoted,
  shownItems,
} from './decode-context.ts';
import { isKeyOfComponents, itemsAt, jsonAt, notShown, objectAt, objectsAt, textAt } from './decode-json.ts';
import { dateOf, entryOf, isObject, jsonOf, rowsOf, textOf, unwrap, type WireEntry } from './wire.ts';

/** The reason why a row cannot be shown. */
export interface RowProblem {
  reason: string;
  /** The field that is missing, or null. */
  field: string | null;
}

/** Decodes one row of an answer into an entity, or gives the reason why it cannot. The context is that of the row's place. */
export type DecodeRow<T> = (row: unknown, context: DecodeContext) => Result<T, RowProblem>;

/**
 * Decodes a list, one row in each step. A broken row is reported with its id and left out, and the other rows stay.
 *
 * @returns null when the answer is not a list, which is a failure of the backend.
 */
export function* rowSteps<T>(
  type: string,
  body: unknown,
  decodeRow: DecodeRow<T>,
  context: DecodeContext,
): Steps<T[] | null> {
  const rows = isObject(body) && body.data === null ? null : rowsOf(body);
  if (rows === null || body === null || body === undefined) return null;
  const decoded = yield* mapSteps(rows, row => rowOrReport(type, row, decodeRow, atEntry(context)));
  return decoded.flat();
}

/** Decodes a list at once, like `rowSteps`. */
export function decodeRows<T>(...list: Parameters<typeof rowSteps<T>>): readonly T[] | null {
  return atOnce(rowSteps<T>(...list));
}

/** Decodes rows inside a row, such as a relation or a component, like `decodeRows`. An absent value and null are an empty list. */
export function decodeRelated<T>(
  type: string,
  value: unknown,
  decodeRow: DecodeRow<T>,
  context: DecodeContext,
): readonly T[] {
  return shownItems(rowsOf(value) ?? [], context).flatMap(row => rowOrReport(type, row, decodeRow, context));
}

/** Decodes one row inside a row, such as a relation. A broken row is reported with its id. @returns null for none. */
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

/** @returns the place of a row, for its problems. */
export function placeOf(type: string, entry: WireEntry | null): Omit<ContentPlace, 'field'> {
  const updatedAt = entry?.attributes.updatedAt;
  return { type, id: entry?.id ?? null, updatedAt: typeof updatedAt === 'string' ? updatedAt : null };
}

/** @returns a date in ISO 8601; null for none. A value that is no date is reported. */
export function dateAt(value: unknown, context: DecodeContext): string | null {
  const date = dateOf(value);
  if (date === null && isGiven(value))
    lose(context, 'value-left-out', notShown(value, 'a date such as 2025-05-06'));
  return date;
}

/** @returns the slug of an entry; null for none. A text that cannot be a part of an address is reported. */
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

/** @returns whether a switch is on. A value that is neither true nor false is reported. */
export function flagAt(value: unknown, context: DecodeContext): boolean {
  if (typeof value !== 'boolean' && isGiven(value))
    lose(context, 'value-left-out', `${quoted(value)} is neither true nor false: it counts as false`);
  return value === true;
}

/** @returns the texts of a list, bare or as components with a field `text`. Other items are reported. */
export function textsAt(value: unknown, context: DecodeContext): readonly string[] {
  return itemsAt(value, context).flatMap(([item, at]) => {
    const isComponent = isObject(item) && Object.hasOwn(item, 'text');
    return (isComponent ? textAt(item.text, inside(at, 'text')) : textAt(item, at)) ?? [];
  });
}

/** @returns rich text. Everything in it that visitors do not see as the editor made it is reported. */
export function richTextAt(value: unknown, context: DecodeContext): RichText {
  const loseHere = (kind: ProblemKind, reason: string) => lose(context, kind, reason);
  const { left } = context.texts;
  const { tree, size } = cutText(context.richText(value, loseHere), left, loseHere);
  context.texts.left = { nodes: left.nodes - size.nodes, characters: left.characters - size.characters };
  versionFiles(tree, context.withVersion);
  unsizedPictures(tree).forEach(context.unsized);
  return tree;
}

/** @returns the picture in a value, bare or inside `{data}`, or the first of a list; null when that picture is absent or not allowed. */
export function imageOf(value: unknown, context: DecodeContext): Image | null {
  const bare = unwrap(value);
  const attributes = mediaAttributes(Array.isArray(bare) ? bare[0] : bare);
  const src = attributes && addressOfMedium(attributes, context);
  if (!attributes || !src) return null;
  const width = pixelsOf(attributes.width);
  const height = pixelsOf(attributes.height);
  const scaled = isScaled(src, width, height, bytesOf(attributes.size));
  return {
    src,
    alt: textOf(attributes.alternativeText) ?? '',
    width,
    height,
    // The site's own renditions are AVIF and WebP, which are a fraction of the backend's.
    formats: scaled ? [] : formatsOf(attributes, context),
    scaled,
  };
}

/** @returns the address of a medium that needs no size on the page: an icon, a stylesheet, a script. */
export function mediaAddressOf(value: unknown, context: DecodeContext): string | null {
  const bare = unwrap(value);
  if (typeof bare === 'string') return mediumAt(bare, context);
  const first: unknown = Array.isArray(bare) ? bare[0] : bare;
  const attributes = mediaAttributes(first);
  if (attributes) return addressOfMedium(attributes, context);
  if (isGiven(first)) lose(context, 'value-left-out', notShown(first, 'a file or its address'));
  return null;
}

/** The address of a medium. A medium without an address is reported. */
function addressOfMedium(attributes: Record<string, unknown>, context: DecodeContext): string | null {
  if (!isGiven(attributes.url)) lose(context, 'value-left-out', 'a file without an address is not shown');
  return mediumAt(attributes.url, context, changeOf(attributes));
}

/** @returns when a medium was last changed after its upload, in ISO 8601; null for one that is as it was uploaded. */
function changeOf({ createdAt, updatedAt }: Record<string, unknown>): string | null {
  return createdAt === updatedAt ? null : dateOf(updatedAt);
}

/** @returns the addresses of all media of a multiple field, in order. */
export function mediaAddressesOf(value: unknown, context: DecodeContext): readonly string[] {
  return shownItems(rowsOf(value) ?? [], context).flatMap(
    (row, index) => mediaAddressOf(row, inside(context, index)) ?? [],
  );
}

/** @returns the icons of a multiple field with their captions and alternative texts, in order. */
export function labelledIconsOf(value: unknown, context: DecodeContext): readonly LabelledIcon[] {
  // `mediaAddressesOf` has counted the icons among the entry's items.
  return (rowsOf(value) ?? []).slice(0, MAX_ITEMS).flatMap(row => {
    // `mediaAddressesOf` has reported the icons that are left out.
    const attributes = mediaAttributes(row) ?? {};
    const { caption, alternativeText } = attributes;
    const address = context.mediaAddress(typeof row === 'string' ? row : attributes.url);
    const src = address && context.withVersion(address, changeOf(attributes));
    return src ? [{ src, caption: textOf(caption), alt: textOf(alternativeText) ?? '' }] : [];
  });
}

/** The attributes of a medium. In most fields a medium is an entry. In JSON fields editors write it by hand, without an id. */
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

/** The size of a file in bytes. Strapi gives it in kilobytes of 1,000 bytes. */
function bytesOf(size: unknown): number | undefined {
  return typeof size === 'number' ? size * 1_000 : undefined;
}

function pixelsOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : null;
}

/** A link may have its address in `link`, too. */
const LINK_KEYS: readonly string[] = [...componentKeys('link'), 'link'];

/** @returns a link; null for none. A link without a title or a safe address is reported. */
export function linkAt(value: unknown, context: DecodeContext): ContentLink | null {
  const link = objectAt(value, context, LINK_KEYS);
  return link && linkOf(link, context);
}

/** A link whose object is known. */
function linkOf(link: JsonObject, context: DecodeContext): ContentLink | null {
  const title = textAt(link.title, inside(context, 'title'));
  const href = hrefAt(link.href ?? link.link, inside(context, 'href'), 'the link is not shown');
  const icon = mediaAddressOf(link.icon, inside(context, 'icon'));
  if (title && href) return { title, href, icon };
  loseItem(context, link, 'a link', 'a title and an address');
  return null;
}

/**
 * Reports an item of a JSON list that is left out. An item without any value is not reported.
 *
 * @param noun such as `a link`.
 */
export function loseItem(context: DecodeContext, item: JsonObject, noun: string, needed: string): void {
  const values = Object.entries(item).flatMap(([key, value]) =>
    isKeyOfComponents(key) ? [] : [unwrap(value)],
  );
  const given = values.find(isGiven);
  if (given === undefined) return;
  const name = [item.title, item.name, item.question, item.label, given].find(
    value => textOf(value) !== null,
  );
  lose(context, 'value-left-out', `${quoted(name ?? given)} is not shown: ${noun} needs ${needed}`);
}

/** @returns the links of a JSON list. Everything that is no link is reported. */
export function linksOf(value: unknown, context: DecodeContext): readonly ContentLink[] {
  return objectsAt(value, context, LINK_KEYS).flatMap(([item, at]) => linkOf(item, at) ?? []);
}

/** @returns the links of the header or the footer. A title without an address of its own gets that of the first link below it. */
export function navigationOf(value: unknown, context: DecodeContext): readonly NavigationLink[] {
  return objectsAt(value, context, [...componentKeys('navigation-link'), 'link']).flatMap(
    ([item, at]): NavigationLink[] => {
      const children = linksOf(item.children, inside(at, 'children'));
      const [first] = children;
      const title = textAt(item.title, inside(at, 'title'));
      const effect = first ? `the title leads to '${first.href}'` : 'the link is not shown';
      const href = hrefAt(item.href ?? item.link, inside(at, 'href'), effect) ?? first?.href;
      const icon = mediaAddressOf(item.icon, inside(at, 'icon'));
      if (title && href) return [{ title, href, icon, children }];
      loseItem(at, item, 'a link, with all links below it,', 'a title and an address');
      return [];
    },
  );
}

/** @returns the questions of a JSON list that have both a question and an answer. Others are reported. */
export function questionsOf(value: unknown, context: DecodeContext): readonly Question[] {
  return objectsAt(value, context, componentKeys('question')).flatMap(([item, at]): Question[] => {
    const question = textAt(item.question, inside(at, 'question'));
    const answer = richTextAt(item.answer, inside(at, 'answer'));
    if (question && answer.length > 0) return [{ question, answer }];
    loseItem(at, item, 'a question', 'a question and an answer');
    return [];
  });
}

/** Most characters of a JSON-LD block. Search engines read a few thousand. */
const MAX_SCHEMA = 200_000;

/** @returns a JSON-LD block as a JSON string without executable addresses, or null when the block is absent or broken. */
export function schemaOf(value: unknown, context: DecodeContext): string | null {
  const schema = jsonAt(value, context);
  if (!isObject(schema) && !Array.isArray(schema)) {
    if (isGiven(schema)) lose(context, 'value-left-out', notShown(schema, 'an object of JSON-LD'));
    return null;
  }
  let refused: unknown;
  try {
    // Without a function the text is made ten times as fast, so a block that is too long costs little.
    const isTooLong = JSON.stringify(schema).length > MAX_SCHEMA;
    const json = JSON.stringify(isTooLong ? null : schema, (key, inner: unknown) => {
      // Programs that read the block may merge it into an object, or open its addresses.
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
    // JSON.stringify recurses, so a block may be nested too deeply for it although JSON.parse has read it.
    lose(context, 'value-left-out', 'the JSON-LD is nested too deeply and is left out');
    return null;
  }
}

/** @returns the row as an entry, or a failure for a row without an id. */
export function requireEntry(row: unknown) {
  const entry = entryOf(row);
  return entry ? ok(entry) : fail({ reason: 'it has no id', field: null });
}
