import { basename, extname } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { builtResults } from '../ops/process/built-results.ts';
import { isObject } from '../wire/wire.ts';
import {
  type ContentSource,
  contentSources,
  contentType,
  DATE_ATTRIBUTES,
  type Json,
  type JsonRecord,
  toJsonRecord,
} from './content-types.ts';
import { DOCUMENT_ID, stableId } from './stable-id.ts';

export interface RawEntry {
  name: string;
  values: JsonRecord;
}

export interface SourcedEntry extends RawEntry {
  source: ContentSource;
  file: string;
  mtimeMs: number;
}

export function isDraft({ values }: RawEntry): boolean {
  return values.draft === true;
}

const NOT_AN_ENTRY = /^(?:[._].*|readme\..*)$/i;
export const FRONT_MATTER = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
/** Keys that name a row of a list, so that its id stays the same when rows are added before it. */
const NATURAL_KEYS = ['from', 'name', 'link'];

export function sourceOf(path: string, sources: readonly ContentSource[]): ContentSource | null {
  const [folder, file, ...deeper] = path.split('/');
  return (
    sources.find(source => {
      if (source.kind !== 'folder') return source.path === path;
      const isEntry = file !== undefined && deeper.length === 0 && /\.(?:md|json)$/.test(file);
      return source.path === folder && isEntry && !NOT_AN_ENTRY.test(file);
    }) ?? null
  );
}

export function parseContentFile(source: ContentSource, path: string, written: string): RawEntry[] {
  const name = basename(path, extname(path));
  const text = withIdsInLinks(written);
  if (path.endsWith('.md')) return [{ name, values: parseMarkdown(text, source.type) }];
  const parsed: unknown = JSON.parse(text);
  if (source.kind !== 'list') {
    if (!isObject(parsed)) throw new Error('The file must hold one JSON object');
    return [{ name, values: toJsonRecord(parsed) }];
  }
  if (!Array.isArray(parsed)) throw new Error('The file must hold a JSON array');
  return namedRows(parsed);
}

/** Replaces file names by ids in links to entries, such as `entry:articles:how-to-pay`. Keeps ids. */
function withIdsInLinks(text: string): string {
  return text.replace(/\bentry:([a-z-]{1,40}):([\w.-]{1,200})(?=[)\s"'>])/g, (whole, route, name) => {
    const type = contentSources.find(source => source.route === route)?.type;
    return type && !DOCUMENT_ID.test(name) ? `entry:${route}:${stableId(type, name).documentId}` : whole;
  });
}

/** Names the rows of an array. @throws Error if a row is not an object. */
export function namedRows(rows: readonly unknown[]): RawEntry[] {
  const uses = new Map<string, number>();
  return rows.map((row, index) => {
    if (!isObject(row)) throw new Error(`Row ${index + 1} is not an object`);
    const key = NATURAL_KEYS.map(candidate => row[candidate]).find(value => typeof value === 'string');
    const name = typeof key === 'string' ? key : String(index);
    const times = uses.get(name) ?? 0;
    uses.set(name, times + 1);
    // Append a number to a repeated key, because each row needs a unique name for its id.
    return { name: times === 0 ? name : `${name} ${times + 1}`, values: toJsonRecord(row) };
  });
}

/** Parses Markdown. The text after the front matter is the body, or else the description (`bodyKeyOf`). */
function parseMarkdown(text: string, type: ContentSource['type']): JsonRecord {
  const source = text.replace(/^\uFEFF/, '');
  const match = FRONT_MATTER.exec(source);
  if (!match) throw new Error('The file must begin with a front matter between two lines of ---');
  const values = frontMatter(match[1] ?? '');
  const rest = source.slice(match[0].length).trim();
  const bodyKey = bodyKeyOf(type);
  const body = rest === '' ? {} : { [bodyKey]: bodyKey === 'body' ? `${rest}\n` : rest };
  return { ...body, ...values };
}

export function bodyKeyOf(type: ContentSource['type']): 'body' | 'description' {
  return contentType(type).attributes.includes('body') ? 'body' : 'description';
}

/** Front matter parsed by the build, because parsing YAML is the slowest step of a start. */
const built = builtResults<JsonRecord>('front-matter');

function frontMatter(text: string): JsonRecord {
  const known = built.of(text);
  if (known) return known;
  // Replace the line `---` by a blank line, so that errors have the line numbers of the file.
  const values: unknown = parseYaml(`\n${text}`, { logLevel: 'error' }) ?? {};
  if (!isObject(values)) throw new Error('The front matter must hold keys and values');
  const record = toJsonRecord(values);
  built.note(text, record);
  return record;
}

/** Reads `file.svg#picture` or `{file, alt, caption}`. The hash names one picture in the file. */
export function uploadOf(value: Json) {
  const { file, alt, caption, focalPoint, ...unknown } = isObject(value) ? value : { file: value };
  const [name = '', picture] = typeof file === 'string' ? file.replace(/^\/?uploads\//, '').split('#') : [];
  const textOf = (text: unknown) => (typeof text === 'string' ? text : null);
  const texts = { alternativeText: textOf(alt), caption: textOf(caption) };
  return { name, picture, ...texts, focalPoint: focalPoint ?? null, unknown };
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/;

/** @returns dates in ISO 8601. The file's time replaces missing dates. */
export function entryDates(values: JsonRecord, mtimeMs: number): JsonRecord {
  const written = new Date(mtimeMs).toISOString();
  const createdAt = isoDate(values.createdAt) ?? written;
  return {
    createdAt,
    updatedAt: isoDate(values.updatedAt) ?? written,
    publishedAt: isoDate(values.publishedAt) ?? isoDate(values.date) ?? createdAt,
  };
}

/** @throws Error for an invalid date. Using the file's time instead would move the entry to the top. */
export function checkDates(values: JsonRecord): void {
  for (const key of [...DATE_ATTRIBUTES, 'date']) {
    const value = values[key];
    const isGiven = value !== undefined && value !== null && value !== '';
    if (isGiven && isoDate(value) === null) throw new Error(`'${key}' is not a date such as 2026-03-31`);
  }
}

function isoDate(value: Json | undefined): string | null {
  if (typeof value !== 'string' || !DATE.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
