import type { Image, ImageFormat } from '../../../shared/content/image.ts';
import type { Json } from '../../../shared/content/json.ts';
import type { LabelledIcon } from '../../../shared/content/landing.ts';
import type { ContentLink, NavigationLink, Question } from '../../../shared/content/links.ts';
import type { RichHeading, RichText } from '../../../shared/content/rich-text.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isScaled } from '../../media/is-scaled.ts';
import type { PictureSize } from '../../media/picture-sizes.ts';
import type { UnsizedPicture } from '../rich-text/read-rich-text.ts';
import { isExecutableAddress, safeHref } from '../safe-address.ts';
import { entryOf, isObject, jsonObjects, jsonOf, rowsOf, textOf, unwrap } from './wire.ts';

/** The services that decoders use. */
export interface DecodeContext {
  /** @returns the address under which the site shows a medium, or null for a medium that is not allowed. */
  mediaAddress(value: unknown): string | null;
  richText: {
    compile(source: unknown): RichText;
    headings(tree: RichText): RichHeading[];
    drainUnsized(): UnsizedPicture[];
  };
  /** Looks up the size of a picture. Absent in tests. */
  sizeOf?: PictureSize;
  /** Called with each problem in the content. */
  report(problem: ContentProblem): void;
}

/** A problem that an editor or an administrator of the backend should mend. */
export interface ContentProblem {
  kind:
    | 'row-left-out'
    | 'relation-absent'
    | 'field-absent'
    | 'broken-json'
    | 'undated-articles'
    | 'list-incomplete';
  /** The type's name in the REST address, such as `articles`. */
  type: string;
  /** The row's id; null for a row without one and for a problem of the complete answer. */
  id: string | null;
  reason: string;
}

/** Decodes one row of an answer into an entity, or gives the reason why it cannot. */
export type DecodeRow<T> = (row: unknown, context: DecodeContext) => Result<T>;

/**
 * Decodes a list. A broken row is reported with its id and left out, and the other rows stay.
 *
 * @returns null when the answer is not a list, which is a failure of the backend.
 */
export function decodeRows<T>(
  type: string,
  body: unknown,
  decodeRow: DecodeRow<T>,
  context: DecodeContext,
): readonly T[] | null {
  const rows = isObject(body) && body.data === null ? null : rowsOf(body);
  return rows === null || body === null || body === undefined
    ? null
    : rows.flatMap(row => rowOrReport(type, row, decodeRow, context));
}

/** Decodes rows inside a row, such as a relation or a component, like `decodeRows`. An absent value and null are an empty list. */
export function decodeRelated<T>(
  type: string,
  value: unknown,
  decodeRow: DecodeRow<T>,
  context: DecodeContext,
): readonly T[] {
  return (rowsOf(value) ?? []).flatMap(row => rowOrReport(type, row, decodeRow, context));
}

function rowOrReport<T>(type: string, row: unknown, decodeRow: DecodeRow<T>, context: DecodeContext): T[] {
  const decoded = decodeRow(row, context);
  if (decoded.ok) return [decoded.value];
  context.report({ kind: 'row-left-out', type, id: entryOf(row)?.id ?? null, reason: decoded.error });
  return [];
}

/** @returns the picture in a value, bare or inside `{data}`, or the first of a list; null when that picture is absent or not allowed. */
export function imageOf(value: unknown, context: DecodeContext): Image | null {
  const bare = unwrap(value);
  const attributes = mediaAttributes(Array.isArray(bare) ? bare[0] : bare);
  const src = attributes && context.mediaAddress(attributes.url);
  if (!attributes || !src) return null;
  const width = pixelsOf(attributes.width);
  const height = pixelsOf(attributes.height);
  const formats = formatsOf(attributes.formats, context);
  return {
    src,
    alt: textOf(attributes.alternativeText) ?? '',
    width,
    height,
    formats,
    scaled: formats.length === 0 && isScaled(src, width, height, bytesOf(attributes.size)),
  };
}

/** @returns the address of a medium that needs no size on the page: an icon, a stylesheet, a script. */
export function mediaAddressOf(value: unknown, context: DecodeContext): string | null {
  const bare = unwrap(value);
  if (typeof bare === 'string') return context.mediaAddress(bare);
  const attributes = mediaAttributes(Array.isArray(bare) ? bare[0] : bare);
  return attributes ? context.mediaAddress(attributes.url) : null;
}

/** @returns the addresses of all media of a multiple field, in order. */
export function mediaAddressesOf(value: unknown, context: DecodeContext): readonly string[] {
  return (rowsOf(value) ?? []).flatMap(row => mediaAddressOf(row, context) ?? []);
}

/** @returns the icons of a multiple field with their captions and alternative texts, in order. */
export function labelledIconsOf(value: unknown, context: DecodeContext): readonly LabelledIcon[] {
  return (rowsOf(value) ?? []).flatMap(row => {
    const src = mediaAddressOf(row, context);
    const { caption, alternativeText } = mediaAttributes(row) ?? {};
    return src ? [{ src, caption: textOf(caption), alt: textOf(alternativeText) ?? '' }] : [];
  });
}

/** The attributes of a medium. In most fields a medium is an entry. In JSON fields editors write it by hand, without an id. */
function mediaAttributes(value: unknown): Record<string, unknown> | null {
  const entry = entryOf(value);
  if (entry) return entry.attributes;
  return isObject(value) ? value : null;
}

function formatsOf(value: unknown, context: DecodeContext): readonly ImageFormat[] {
  const formats = jsonOf(value);
  if (!isObject(formats)) return [];
  return Object.values(formats)
    .flatMap((format: unknown): ImageFormat[] => {
      if (!isObject(format)) return [];
      const src = context.mediaAddress(format.url);
      const width = pixelsOf(format.width);
      const height = pixelsOf(format.height);
      return src && width && height ? [{ src, width, height }] : [];
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

/** @returns a link, or null when its title or a safe address is missing. */
export function linkOf(value: unknown, context: DecodeContext): ContentLink | null {
  if (!isObject(value)) return null;
  const title = textOf(value.title);
  const href = safeHref(value.href ?? value.link);
  return title && href ? { title, href, icon: mediaAddressOf(value.icon, context) } : null;
}

/** @returns the links of a JSON list. A broken list counts as empty. */
export function linksOf(value: unknown, context: DecodeContext): readonly ContentLink[] {
  return jsonObjects(value).flatMap(item => linkOf(item, context) ?? []);
}

/** @returns the links of the header or the footer. A title without an address of its own gets that of the first link below it. */
export function navigationOf(value: unknown, context: DecodeContext): readonly NavigationLink[] {
  return jsonObjects(value).flatMap((item): NavigationLink[] => {
    const children = linksOf(item.children, context);
    const title = textOf(item.title);
    const href = safeHref(item.href) ?? children[0]?.href;
    return title && href ? [{ title, href, icon: mediaAddressOf(item.icon, context), children }] : [];
  });
}

/** @returns the questions of a JSON list that have both a question and an answer. */
export function questionsOf(value: unknown, context: DecodeContext): readonly Question[] {
  return jsonObjects(value).flatMap((item): Question[] => {
    const question = textOf(item.question);
    const answer = context.richText.compile(item.answer);
    return question && answer.length > 0 ? [{ question, answer }] : [];
  });
}

/** @returns a JSON-LD block as a JSON string without executable addresses, or null when the block is absent or broken. */
export function schemaOf(value: unknown): string | null {
  const schema: Json = jsonOf(value);
  try {
    return isObject(schema) || Array.isArray(schema) ? JSON.stringify(schema, dropUnsafeValues) : null;
  } catch {
    return null; // JSON.stringify recurses, so a block may be nested too deeply for it although JSON.parse has read it.
  }
}

/**
 * A replacer for JSON.stringify that drops `__proto__` and executable addresses: programs that read the block may merge it into an object,
 * or open its addresses.
 */
function dropUnsafeValues(key: string, value: unknown): unknown {
  return key === '__proto__' || isExecutableAddress(value) ? undefined : value;
}

/** @returns the row as an entry, or a failure for a row without an id. */
export function requireEntry(row: unknown) {
  const entry = entryOf(row);
  return entry ? ok(entry) : fail('it has no id');
}
