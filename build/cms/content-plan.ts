import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lookup } from 'mime-types';
import { contentSources, type Json, type JsonRecord } from '../../server/embedded-cms/content-types.ts';
import { entryNamed, withNamedTags } from '../../server/embedded-cms/named-entries.ts';
import {
  namedRows,
  parseContentFile,
  type RawEntry,
  type SourcedEntry,
  sourceOf,
  uploadOf,
} from '../../server/embedded-cms/read-content.ts';
import { stableId } from '../../server/embedded-cms/stable-id.ts';
import { descriptionOf } from '../../server/wire/described-types.ts';
import { isObject } from '../../server/wire/wire.ts';
import {
  type ComponentDescription,
  componentOf,
  type FieldDescription,
  isMany,
  MEDIA_KINDS,
} from '../../shared/content/descriptions.ts';
import { zoneComponent } from '../../shared/content/zone-kinds.ts';

/** `name` is set if texts link to the file as `/uploads/{name}`. */
export interface PlannedFile {
  key: string;
  name?: string;
  path: string;
  fileName: string;
  mime: string;
  alternativeText: string | null;
  caption: string | null;
}
/** An entry to create. Its data contains `{$file: key}` for uploads and `{$entry: key}` for other entries. */
interface PlannedEntry {
  key: string;
  uid: string;
  status: 'draft' | 'published';
  documentId: string;
  data: JsonRecord;
}

/** Whether each entry of a type has a file named by its slug. Entries in a JSON list have no such name. */
const hasOwnFile = (name: string) => descriptionOf(name).file?.endsWith('/') === true;
const slugOf = ({ name, values }: RawEntry) => (typeof values.slug === 'string' ? values.slug : name);

/** Writes `plan.json` and pictures for `cms/src/import/import-content.js`, which fills an empty database. */
export async function writeContentPlan(contentDir: string, folder: string): Promise<ContentPlan> {
  await mkdir(folder, { recursive: true });
  const entries = await readEntries(contentDir);
  const plan = new ContentPlan(contentDir, folder, entries);
  // Sort types by their number of relations; equal types keep their order.
  const types = [...new Set(contentSources.map(({ type }) => type))].toSorted(
    (a, b) => relations(a) - relations(b),
  );
  for (const type of types)
    for (const entry of entries.filter(({ source }) => source.type === type).toSorted(byDateOrOrder))
      await plan.add(type, entry);
  await plan.addNamedFiles();
  await writeFile(
    path.join(folder, 'plan.json'),
    JSON.stringify({ files: [...plan.files.values()], entries: plan.entries }),
  );
  return plan;
}

class ContentPlan {
  readonly files = new Map<string, PlannedFile>();
  readonly entries: PlannedEntry[] = [];
  readonly #contentDir: string;
  readonly #folder: string;
  readonly #all: readonly SourcedEntry[];

  constructor(contentDir: string, folder: string, all: readonly SourcedEntry[]) {
    this.#contentDir = contentDir;
    this.#folder = folder;
    this.#all = all;
  }

  async add(type: string, entry: RawEntry): Promise<string> {
    const { values } = entry;
    const { fields, storage } = descriptionOf(type);
    const key = `${type}/${entry.name}`;
    const slug = 'slug' in fields && hasOwnFile(type) ? { slug: slugOf(entry) } : {};
    const data = { ...slug, ...(await this.#data(type, values)) };
    const status = values.draft === true ? 'draft' : 'published';
    // Keep the entry's id from the content folder, because links in texts contain it.
    const { documentId } = stableId(type, entry.name);
    if (storage !== 'component')
      this.entries.push({ key, uid: `api::${type}.${type}`, status, documentId, data });
    return key;
  }

  async #data(type: string, values: JsonRecord): Promise<JsonRecord> {
    const data: JsonRecord = {};
    for (const [name, field] of Object.entries(descriptionOf(type).fields)) {
      const value = values[name];
      if (value !== undefined && name !== 'updatedAt') data[name] = await this.#value(field, value);
    }
    return data;
  }

  async #value(field: FieldDescription, value: Json): Promise<Json> {
    const list = Array.isArray(value) ? value : value === null || value === '' ? [] : [value];
    const oneOrMany = (items: Json[]) => (isMany(field) ? items : (items[0] ?? null));
    const component = componentOf(field);
    if (field.kind === 'zone') return inTurn(list, item => this.#section(item));
    if (component !== null)
      return oneOrMany(await inTurn(list, item => this.#data(component.name, inComponent(component, item))));
    if (MEDIA_KINDS.some(kind => kind === field.kind))
      return oneOrMany(await inTurn(list, item => this.#file(item)));
    if (field.kind === 'relation')
      return oneOrMany(await inTurn(list, item => this.#relation(field.target, item)));
    // Join the texts with line breaks, because the CMS stores this kind of field as one text.
    if (field.kind === 'lines' && Array.isArray(value)) return value.join('\n');
    return value;
  }

  async #section(value: Json): Promise<Json> {
    const { kind = 'text', ...values } = isObject(value) ? (value as JsonRecord) : {};
    const name = zoneComponent(String(kind));
    return { __component: `site.${name}`, ...(await this.#data(name, values)) };
  }

  /** Finds a related entry by slug or file name. For a type without files, the value itself is the entry. */
  async #relation(type: string, value: Json): Promise<Json> {
    if (isObject(value)) {
      const [row] = namedRows([value]);
      return row ? { $entry: await this.add(type, row) } : null;
    }
    const found = entryNamed(this.#all, type, value);
    return found ? { $entry: `${type}/${found.name}` } : null;
  }

  /** Makes a file for each alternative text, because an upload in Strapi has only one alternative text. */
  async #file(value: Json): Promise<Json> {
    const { name, picture, alternativeText, caption } = uploadOf(value);
    if (name === '') return null;
    const key = JSON.stringify([name, picture, alternativeText, caption]);
    if (!this.files.has(key)) {
      const source = path.join(this.#contentDir, 'uploads', name);
      // Skip an address of another site, because the CMS accepts only uploads.
      if (!existsSync(source)) return null;
      const fileName = picture ? `${path.parse(name).name}-${picture}.svg` : path.basename(name);
      const cut = path.join(this.#folder, fileName);
      if (picture) await writeFile(cut, cutPicture(await readFile(source, 'utf8'), picture));
      this.files.set(key, {
        key,
        path: picture ? cut : source,
        fileName,
        mime: lookup(name) || 'application/octet-stream',
        alternativeText,
        caption,
      });
    }
    return { $file: key };
  }

  /** Adds the files whose addresses are in texts or JSON. */
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

/** @returns the item of a list of components. A bare text becomes the component's first field. */
function inComponent(component: ComponentDescription, value: Json): JsonRecord {
  const [first = ''] = Object.keys(component.fields);
  return isObject(value) ? (value as JsonRecord) : { [first]: value };
}

async function readEntries(contentDir: string): Promise<readonly SourcedEntry[]> {
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
  return withNamedTags(entries.flat());
}

function relations(type: string): number {
  return Object.values(descriptionOf(type).fields).filter(({ kind }) => kind === 'relation').length;
}

function byDateOrOrder(a: RawEntry, b: RawEntry): number {
  const rank = ({ values }: RawEntry) => (typeof values.order === 'number' ? values.order : 1e9);
  const date = ({ values }: RawEntry) => (typeof values.date === 'string' ? values.date : '');
  return rank(a) - rank(b) || date(a).localeCompare(date(b));
}

async function inTurn<T, R>(items: readonly T[], convert: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await convert(item));
  return results;
}

const VIEW = /<view id="([\w-]+)" viewBox="([^"]+)"\/>/g;
const PART = /^<g transform="translate\(([-\d. ]+)\)">/;

/** Cuts a picture, such as `cl`, out of an SVG file with one per line. @throws Error if it is missing. */
export function cutPicture(svg: string, id: string): string {
  const viewBox = [...svg.matchAll(VIEW)].find(view => view[1] === id)?.[2];
  if (viewBox === undefined) throw new Error(`The file has no picture '${id}'`);
  const [x, y] = viewBox.split(' ');
  const lines = svg
    .split('\n')
    .filter(line => !line.startsWith('<view '))
    .filter(line => {
      const place = PART.exec(line)?.[1];
      return place === undefined || place === `${x} ${y}`;
    });
  return lines.join('\n').replace(/viewBox="[^"]*"/, `viewBox="${viewBox}"`);
}
