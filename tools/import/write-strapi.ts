import { openAsBlob } from 'node:fs';
import path from 'node:path';
import { type PlannedFile, writeContentPlan } from '../../build/cms/content-plan.ts';
import { isObject } from '../../server/wire/wire.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { type Json, type LossList, rowsIn, textIn } from './site-content.ts';

/** The types that an import fills, in order: an entry comes after the entries that it refers to. */
const TYPES = ['author', 'category', 'tag', 'page', 'article', 'redirect'] as const;
/** The field that identifies an existing entry. For a type that is not listed, it is the slug. */
const KEYS: Readonly<Record<string, string>> = { tag: 'name', redirect: 'from' };
const TOKEN = 'an API token of the type “Full access” with the name “Site import”';

/** Creates the entries of a content folder in a running Strapi. Existing entries stay unchanged. */
export async function writeStrapi(folder: string, strapi: Strapi, loss: LossList) {
  for (const type of TYPES) await strapi.find(contentTypes[type].path, '');
  const plan = await writeContentPlan(folder, path.join(folder, 'plan'));
  const ids = new Map<string, unknown>();
  const addresses = new Map<string, string>();
  for (const { key, name, ...file } of plan.files.values()) {
    const { id, url } = await strapi.upload(file);
    ids.set(key, id);
    if (name) addresses.set(name, textIn(url));
  }
  const resolved = (data: unknown): unknown =>
    JSON.parse(JSON.stringify(data), (_key, value: unknown) => {
      if (typeof value === 'string')
        return value.replace(/\/uploads\/([\w.-]+)/g, (whole, name) => addresses.get(name) ?? whole);
      const reference = isObject(value) ? (value.$file ?? value.$entry) : undefined;
      return reference === undefined ? value : ids.get(textIn(reference));
    });
  const count = { created: 0, known: 0 };
  for (const type of TYPES)
    for (const { key, status, data } of plan.entries.filter(({ uid }) => uid === `api::${type}.${type}`)) {
      const route = contentTypes[type].path;
      const field = KEYS[type] ?? 'slug';
      const known = await strapi.find(
        route,
        `&filters[${field}][$eq]=${encodeURIComponent(textIn(data[field]))}`,
      );
      const entry = known ?? (await strapi.create(`${route}?status=${status}`, resolved(data)));
      if (typeof entry === 'string') loss.note(key, 'Strapi', entry);
      else {
        ids.set(key, entry.documentId);
        count[known ? 'known' : 'created'] += 1;
      }
    }
  return count;
}

export class Strapi {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address.replace(/\/$/, '');
    this.#token = token;
  }

  /** @returns the first entry that a filter finds, even a draft. */
  async find(route: string, filter: string): Promise<Json | undefined> {
    const { data } = await this.#call(`${route}?status=draft&pagination[pageSize]=1${filter}`);
    return rowsIn(data)[0];
  }

  /** @returns the entry, or Strapi's message if it refuses the entry. */
  async create(route: string, data: unknown): Promise<Json | string> {
    const headers = { 'content-type': 'application/json' };
    const answer = await this.#call(route, { method: 'POST', headers, body: JSON.stringify({ data }) });
    return isObject(answer.data) ? answer.data : textIn(isObject(answer.error) ? answer.error.message : '');
  }

  /** @returns the file in Strapi. Uploads it unless Strapi has one with the same texts. */
  async upload(file: Omit<PlannedFile, 'key'>): Promise<Json> {
    const info = { name: file.fileName, alternativeText: file.alternativeText, caption: file.caption };
    const found = await this.#call(`upload/files?filters[name][$eq]=${encodeURIComponent(info.name)}`);
    const known = rowsIn(found.list).find(
      one => textIn(one.alternativeText) === (info.alternativeText ?? ''),
    );
    if (known) return known;
    const body = new FormData();
    body.set('files', await openAsBlob(file.path, { type: file.mime }), file.fileName);
    body.set('fileInfo', JSON.stringify(info));
    return rowsIn((await this.#call('upload', { method: 'POST', body })).list)[0] ?? {};
  }

  /** @throws Error without Strapi, its types or its permission. A refused entry is no error. */
  async #call(route: string, init: RequestInit = {}): Promise<Json> {
    const headers = { ...init.headers, authorization: `Bearer ${this.#token}` };
    const answer = await fetch(`${this.#address}/api/${route}`, { ...init, headers }).catch(() => null);
    const place = `${this.#address}/api/${route.split('?', 1)[0]}`;
    if (!answer) throw new Error(`--strapi: nothing answers at ${this.#address}. Is Strapi running there?`);
    const body: unknown = await answer.json().catch(() => null);
    if (answer.status === 401 || answer.status === 403)
      throw new Error(`STRAPI_TOKEN: ${place} refuses the token. It must be ${TOKEN}`);
    if (answer.status === 404)
      throw new Error(`${place} is missing: npm run cms:types adds the types of the site`);
    if (!body || (!answer.ok && answer.status !== 400)) throw new Error(`${place} answers ${answer.status}`);
    return isObject(body) ? body : { list: body };
  }
}
