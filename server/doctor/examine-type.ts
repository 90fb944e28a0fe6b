import {
  type FieldDescription,
  type FieldDescriptions,
  isComponentOrJson,
} from '../../shared/content/descriptions.ts';
import { PAGE_SIZE } from '../content/lists/all-pages.ts';
import type { OptionalField } from '../content/requests/content-query.ts';
import { isRefusalOf, MissingFields, refusalIn } from '../content/requests/missing-fields.ts';
import { BackendError } from '../errors.ts';
import { callOf, joined, pageOf } from '../wire/content-calls.ts';
import { isPopulated, type ServedType } from '../wire/described-types.ts';
import { entryOf, rowsOf, unwrap, type WireEntry } from '../wire/wire.ts';
import type { Ask } from './ask.ts';

export const ROWS = 3;

export interface ExaminedType {
  readonly name: string;
  readonly type: ServedType;
  readonly error: BackendError | null;
  readonly bodies: readonly unknown[];
  readonly entries: readonly WireEntry[];
  /** The entries as one list, oldest first, for checks that compare them; null if they were not listed. */
  readonly listing: Awaited<ReturnType<Ask['list']>> | null;
  /** Fields that the CMS refuses in queries: `cover`, or `country.image` for a field of another type. */
  readonly refused: ReadonlySet<string>;
  /** Fields that the backend stores as JSON in place of components. */
  readonly json: ReadonlySet<string>;
}

/** The CMS refuses a field of the type itself. `MissingFields` handles fields of inner rows, and JSON. */
class FieldRefused extends Error {
  readonly field: string;
  constructor(field: string) {
    super(`The backend refuses '${field}'`);
    this.field = field;
  }
}

/**
 * Asks for entries with all fields, and repeats the call without refused fields. Lists all entries of a type
 * without rich text, because they are small.
 */
export async function examineType(ask: Ask, name: string, type: ServedType): Promise<ExaminedType> {
  const isCollection = type.storage === 'collection';
  const isListed = isCollection && !Object.values(type.fields).some(({ kind }) => kind === 'rich-text');
  const [order, direction, size] = isListed ? ['createdAt', 'asc', PAGE_SIZE] : ['updatedAt', 'desc', ROWS];
  const refused = new Set<string>();
  const json = new Set<string>();
  const keyOf = (one: OptionalField) => (one.type === type.path ? one.field : `${one.type}.${one.field}`);
  const missing = new MissingFields(
    field => (field.cost === null ? json : refused).add(keyOf(field)),
    field => (field.cost === null ? json : refused).delete(keyOf(field)),
  );
  let query = '';
  /** The number of known JSON fields when a call last named the fields; -1 before. */
  let named = -1;

  async function call(known: ServedType, selection: string): Promise<{ body: unknown }> {
    const sort = isCollection && !refused.has(order) ? `sort[0]=${order}:${direction}` : '';
    query = joined(selection, named >= 0 ? fieldNames(known, json) : '', sort);
    const { body, error } = await ask.json(callOf(type, joined(query, isCollection ? pageOf(1, size) : '')));
    if (error === null) return { body };
    const isInner = refusalIn(error)?.path?.includes('.') === true;
    const keys = isInner ? [] : [...Object.keys(known.fields), order];
    const isOwn = (key: string) => !isJsonOrComponent(type, key) || json.has(key);
    const field = keys.find(key => isRefusalOf(key, error) && isOwn(key));
    // Give up if the backend refuses a field that the repeated call no longer names.
    throw field === undefined || refused.has(field) ? error : new FieldRefused(field);
  }

  for (;;) {
    const known = without(type, refused);
    try {
      const { body } = await missing.ask(known, 'full', selection => call(known, selection));
      // Name the fields if there are no entries to show which fields the type has.
      if (entriesOf(body).length === 0 && rowsOf(body) && json.size !== named) {
        named = json.size;
        continue;
      }
      const listing = isListed ? await ask.list(type, query, body) : null;
      const bodies = listing?.bodies ?? [body];
      return { name, type, error: null, bodies, entries: bodies.flatMap(entriesOf), listing, refused, json };
    } catch (error) {
      if (error instanceof FieldRefused) refused.add(error.field);
      else if (error instanceof BackendError)
        return { name, type, error, bodies: [], entries: [], listing: null, refused, json };
      else throw error;
    }
  }
}

export async function withListing(examined: ExaminedType, ask: Ask): Promise<ExaminedType> {
  const { type, listing } = examined;
  if (listing !== null || !hasField(examined, 'slug')) return examined;
  const fields = ['slug', 'createdAt', 'previousSlugs', 'date'].filter(
    name => name === 'createdAt' || hasField(examined, name),
  );
  const query = joined(
    fields.map((field, index) => `fields[${index}]=${field}`).join('&'),
    hasField(examined, 'category') ? 'populate[category][fields][0]=slug' : '',
    ...placesOf(type)
      .filter(name => hasField(examined, name))
      .flatMap(name => PICTURE.map((field, at) => `populate[${name}][fields][${at}]=${field}`)),
    'sort[0]=createdAt:asc',
  );
  return { ...examined, listing: await ask.list(type, query) };
}

const PICTURE = ['alternativeText', 'width', 'height', 'url'];

export function placesOf({ fields }: ServedType): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (placeOf(field) === null ? [] : [name]));
}

export function placeOf(field: FieldDescription): number | null {
  return field.kind === 'picture' && 'placeWidth' in field ? (field.placeWidth ?? null) : null;
}

export function hasField({ type, refused }: ExaminedType, name: string): boolean {
  return name in type.fields && !refused.has(name);
}

export function entriesOf(body: unknown): WireEntry[] {
  return [unwrap(body)].flat().flatMap(row => entryOf(row) ?? []);
}

function without(type: ServedType, refused: ReadonlySet<string>): ServedType {
  const fields: FieldDescriptions = Object.fromEntries(
    Object.entries(type.fields).filter(([name]) => !refused.has(name)),
  );
  return { ...type, fields };
}

function fieldNames(type: ServedType, json: ReadonlySet<string>): string {
  return Object.entries(type.fields)
    .filter(([name, field]) => !isPopulated(field) || json.has(name))
    .map(([name], index) => `fields[${index}]=${name}`)
    .join('&');
}

function isJsonOrComponent({ fields }: ServedType, name: string): boolean {
  const field = fields[name];
  return field !== undefined && isComponentOrJson(field);
}
