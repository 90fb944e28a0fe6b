import { basename, extname } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { builtResults } from '../../ops/built-results.ts';
import { type ContentSource, contentType, type JsonRecord } from './content-types.ts';
import { isRecord, toJsonRecord } from './json-values.ts';

/** One entry as its file holds it, without resolved links and without defaults. */
export interface RawEntry {
  /** The name within its type: the file's name without its ending, or the natural key of a row. */
  name: string;
  values: JsonRecord;
}

/** An entry, and the file it came from. */
export interface SourcedEntry extends RawEntry {
  source: ContentSource;
  /** Path below the content folder. */
  file: string;
  mtimeMs: number;
}

/** Files that may lie beside the entries and are ignored. */
const NOT_AN_ENTRY = /^(?:[._].*|readme\..*)$/i;
const FRONT_MATTER = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
/** The fields that name a row of a list, so that the row keeps its id when rows are added before it. */
const NATURAL_KEYS = ['from', 'name', 'link'];

/** @returns the source that a file of the content belongs to, or null for any other file. */
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

/**
 * Parses one file of the content.
 * @throws Error with a reason fit for an editor when the file is broken.
 */
export function parseContentFile(source: ContentSource, path: string, text: string): RawEntry[] {
  const name = basename(path, extname(path));
  if (path.endsWith('.md')) return [{ name, values: parseMarkdown(text, source.type) }];
  const parsed: unknown = JSON.parse(text);
  if (source.kind !== 'list') {
    if (!isRecord(parsed)) throw new Error('The file must hold one JSON object');
    return [{ name, values: toJsonRecord(parsed) }];
  }
  if (!Array.isArray(parsed)) throw new Error('The file must hold a JSON array');
  return namedRows(parsed);
}

/**
 * Names the rows of an array.
 * @throws Error when a row is not an object.
 */
export function namedRows(rows: readonly unknown[]): RawEntry[] {
  const uses = new Map<string, number>();
  return rows.map((row, index) => {
    if (!isRecord(row)) throw new Error(`Row ${index + 1} is not an object`);
    const key = NATURAL_KEYS.map(candidate => row[candidate]).find(value => typeof value === 'string');
    const name = typeof key === 'string' ? key : String(index);
    const times = uses.get(name) ?? 0;
    uses.set(name, times + 1);
    // Two rows may have the same key, but each needs its own id.
    return { name: times === 0 ? name : `${name} ${times + 1}`, values: toJsonRecord(row) };
  });
}

/** Parses Markdown. The text after the front matter is the body, or the description of a type without a body. */
function parseMarkdown(text: string, type: ContentSource['type']): JsonRecord {
  const source = text.replace(/^\uFEFF/, '');
  const match = FRONT_MATTER.exec(source);
  if (!match) throw new Error('The file must begin with a front matter between two lines of ---');
  const values = frontMatter(match[1] ?? '');
  const rest = source.slice(match[0].length).trim();
  const bodyKey = contentType(type).attributes.includes('body') ? 'body' : 'description';
  const body = rest === '' ? {} : { [bodyKey]: bodyKey === 'body' ? `${rest}\n` : rest };
  return { ...body, ...values };
}

/** Front matter that the build has parsed already: to load the YAML package and to parse some sixty files takes longer than all other files. */
const built = builtResults<JsonRecord>('front-matter');

/** @throws Error when the YAML is broken, or has values that JSON lacks. */
function frontMatter(text: string): JsonRecord {
  const known = built.of(text);
  if (known) return known;
  // The default option `uniqueKeys` refuses a key that is given twice.
  // The blank line stands for the one with ---, so that lines in errors are those of the file.
  const values: unknown = parseYaml(`\n${text}`, { logLevel: 'error' }) ?? {};
  if (!isRecord(values)) throw new Error('The front matter must hold keys and values');
  const record = toJsonRecord(values);
  built.note(text, record);
  return record;
}
