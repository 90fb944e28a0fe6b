import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lookup } from 'mime-types';
import { contentSources, type Json, type JsonRecord } from '../../server/backend/embedded/content-types.ts';
import { isRecord } from '../../server/backend/embedded/json-values.ts';
import { withNamedTags } from '../../server/backend/embedded/named-entries.ts';
import {
  namedRows,
  parseContentFile,
  type RawEntry,
  sourceOf,
} from '../../server/backend/embedded/read-content.ts';
import {
  type ContentTypeDescription,
  type ContentTypeName,
  componentOf,
  contentTypes,
  type FieldDescription,
  MEDIA_KINDS,
} from '../../shared/content/content-types.ts';
import { cutPicture } from './cut-picture.ts';

/** A file to upload. `name` is set for files that texts name by `/uploads/{name}`. */
interface PlannedFile {
  key: string;
  name?: string;
  path: string;
  fileName: string;
  mime: string;
  alternativeText: string | null;
  caption: string | null;
}
/** An entry to create. Its data has `{$file: key}` for uploads and `{$entry: key}` for other entries. */
interface PlannedEntry {
  key: string;
  uid: string;
  status: 'draft' | 'published';
  data: JsonRecord;
}
interface SourceEntry extends RawEntry {
  type: ContentTypeName;
}

const description = (name: ContentTypeName): ContentTypeDescription => contentTypes[name];
/** The name of a file is the slug of its entry. A row of a list has its slug from its name, on the site. */
const hasOwnFile = (name: ContentTypeName) => description(name).file?.endsWith('/') === true;
const slugOf = ({ name, values }: RawEntry) => (typeof values.slug === 'string' ? values.slug : name);

/**
 * Writes into a folder what `cms/src/import/import-content.js` needs to fill an empty database with the content folder: `plan.json`, and
 * pictures that the content cuts out of larger files.
 */
export async function writeContentPlan(contentDir: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const plan = new ContentPlan(contentDir, folder);
  const entries = await readEntries(contentDir);
  // Entries without relations come first. Within a type, the order decides which entry is listed first among equals.
  const types = [...new Set(contentSources.map(({ type }) => type))].toSorted(
    (a, b) => relations(a) - relations(b),
  );
  for (const type of types)
    for (const entry of entries.filter(one => one.type === type).toSorted(byDateOrOrder))
      await plan.add(entry, entries);
  await plan.addNamedFiles();
  await writeFile(
    path.join(folder, 'plan.json'),
    JSON.stringify({ files: [...plan.files.values()], entries: plan.entries }),
  );
}

class ContentPlan {
  readonly files = new Map<string, PlannedFile>();
  readonly entries: PlannedEntry[] = [];
  readonly #contentDir: string;
  readonly #folder: string;

  constructor(contentDir: string, folder: string) {
    this.#contentDir = contentDir;
    this.#folder = folder;
  }

  async add(entry: SourceEntry, all: readonly SourceEntry[]): Promise<string> {
    const { type, values } = entry;
    const { fields, storage } = description(type);
    const key = `${type}/${entry.name}`;
    const slug = 'slug' in fields && hasOwnFile(type) ? { slug: slugOf(entry) } : {};
    const data = { ...slug, ...(await this.#data(type, values, all)) };
    const status = values.draft === true ? 'draft' : 'published';
    if (storage !== 'component') this.entries.push({ key, uid: `api::${type}.${type}`, status, data });
    return key;
  }

  async #data(type: ContentTypeName, values: JsonRecord, all: readonly SourceEntry[]): Promise<JsonRecord> {
    const data: JsonRecord = {};
    for (const [name, field] of Object.entries(description(type).fields)) {
      const value = values[name];
      if (value !== undefined && name !== 'updatedAt') data[name] = await this.#value(field, value, all);
    }
    return data;
  }

  async #value(field: FieldDescription, value: Json, all: readonly SourceEntry[]): Promise<Json> {
    const list = Array.isArray(value) ? value : value === null || value === '' ? [] : [value];
    const isMany = field.kind === 'files' || ('many' in field && field.many === true);
    const oneOrMany = (items: Json[]) => (isMany ? items : (items[0] ?? null));
    const component = componentOf(field) as ContentTypeName | null;
    if (field.kind === 'zone') return inTurn(list, item => this.#section(item, all));
    if (component !== null)
      return oneOrMany(await inTurn(list, item => this.#data(component, inComponent(component, item), all)));
    if (MEDIA_KINDS.some(kind => kind === field.kind))
      return oneOrMany(await inTurn(list, item => this.#file(item)));
    if (field.kind === 'relation')
      return oneOrMany(
        await inTurn(list, item => this.#relation(field.target as ContentTypeName, item, all)),
      );
    // A content file may have a list of texts where the CMS has one in each line.
    if (field.kind === 'lines' && Array.isArray(value)) return value.join('\n');
    return value;
  }

  /** A section of a dynamic zone. Content files name its kind. */
  async #section(value: Json, all: readonly SourceEntry[]): Promise<Json> {
    const { kind = 'text', ...values } = isRecord(value) ? (value as JsonRecord) : {};
    const name = `${String(kind)}-section` as ContentTypeName;
    return { __component: `site.${name}`, ...(await this.#data(name, values, all)) };
  }

  /** A related entry: its slug or file name, or the entry itself where the type has no files of its own. */
  async #relation(type: ContentTypeName, value: Json, all: readonly SourceEntry[]): Promise<Json> {
    if (isRecord(value)) {
      const [row] = namedRows([value]);
      return row ? { $entry: await this.add({ ...row, type }, all) } : null;
    }
    const candidates = all.filter(entry => entry.type === type);
    const found =
      candidates.find(entry => entry.values.slug === value) ?? candidates.find(({ name }) => name === value);
    return found ? { $entry: `${type}/${found.name}` } : null;
  }

  /** An upload for one use of a file: Strapi has one alternative text for each upload, the content folder one for each use. */
  async #file(value: Json): Promise<Json> {
    const { file, alt = null, caption = null } = isRecord(value) ? value : { file: value };
    if (typeof file !== 'string' || file === '') return null;
    const [name = '', picture] = file.replace(/^\/?uploads\//, '').split('#');
    const key = JSON.stringify([name, picture, alt, caption]);
    if (!this.files.has(key)) {
      const source = path.join(this.#contentDir, 'uploads', name);
      // Where the site takes an address as text, an editor picks an upload: a file of another site has none.
      if (!existsSync(source)) return null;
      const fileName = picture ? `${path.parse(name).name}-${picture}.svg` : path.basename(name);
      const cut = path.join(this.#folder, fileName);
      if (picture) await writeFile(cut, cutPicture(await readFile(source, 'utf8'), picture));
      this.files.set(key, {
        key,
        path: picture ? cut : source,
        fileName,
        mime: lookup(name) || 'application/octet-stream',
        alternativeText: typeof alt === 'string' ? alt : null,
        caption: typeof caption === 'string' ? caption : null,
      });
    }
    return { $file: key };
  }

  /** Adds the files that texts and JSON name by their addresses. */
  async addNamedFiles(): Promise<void> {
    const text = JSON.stringify(this.entries.map(({ data }) => data));
    const known = new Set(await readdir(path.join(this.#contentDir, 'uploads')));
    for (const name of new Set([...text.matchAll(/\/uploads\/([\w.-]+)/g)].map(match => match[1] ?? '')))
      if (known.has(name)) {
        const key = `address ${name}`;
        const source = path.join(this.#contentDir, 'uploads', name);
        const mime = lookup(name) || 'application/octet-stream';
        this.files.set(key, {
          key,
          name,
          path: source,
          fileName: name,
          mime,
          alternativeText: null,
          caption: null,
        });
      }
  }
}

/** A text in a list of components stands for the component's first field. */
function inComponent(component: ContentTypeName, value: Json): JsonRecord {
  const [first = ''] = Object.keys(description(component).fields);
  return isRecord(value) ? (value as JsonRecord) : { [first]: value };
}

async function readEntries(contentDir: string): Promise<readonly SourceEntry[]> {
  const files = await readdir(contentDir, { recursive: true, withFileTypes: true });
  const paths = files
    .filter(file => file.isFile())
    .map(file => path.relative(contentDir, path.join(file.parentPath, file.name)).split(path.sep).join('/'))
    .toSorted();
  const entries = await inTurn(paths, async file => {
    const source = sourceOf(file, contentSources);
    if (!source) return [];
    const text = await readFile(path.join(contentDir, file), 'utf8');
    return parseContentFile(source, file, text).map(entry => ({ ...entry, source, file, mtimeMs: 0 }));
  });
  return withNamedTags(entries.flat()).flatMap(entry => {
    const { type } = entry.source;
    return type === 'media' ? [] : [{ ...entry, type }];
  });
}

/** How many types an entry of this type may refer to, so that it is created after those. */
function relations(type: ContentTypeName | 'media'): number {
  if (type === 'media') return 0;
  return Object.values(description(type).fields).filter(({ kind }) => kind === 'relation').length;
}

function byDateOrOrder(a: SourceEntry, b: SourceEntry): number {
  const rank = ({ values }: SourceEntry) => (typeof values.order === 'number' ? values.order : 1e9);
  const date = ({ values }: SourceEntry) => (typeof values.date === 'string' ? values.date : '');
  return rank(a) - rank(b) || date(a).localeCompare(date(b));
}

async function inTurn<T, R>(items: readonly T[], convert: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await convert(item));
  return results;
}
