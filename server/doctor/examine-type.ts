import type { FieldDescriptions } from '../../shared/content/content-types.ts';
import { callOf, joined, pageOf } from '../content/content-calls.ts';
import { type IsMissing, selectionOf } from '../content/content-query.ts';
import { entryOf, rowsOf, unwrap, type WireEntry } from '../content/decode/wire.ts';
import { isPopulated, type ServedType } from '../content/described-types.ts';
import { isRefusalOf, refusalIn, refusedIn } from '../content/missing-fields.ts';
import type { BackendError } from '../errors.ts';
import type { Ask } from './ask.ts';

/** Entries that are looked at: an editor may have left a field of one of them empty. */
const ROWS = 3;
const NEWEST_FIRST = 'sort[0]=updatedAt:desc';

/** The answer of the backend to the call for a type, as the site would make it. */
export interface ExaminedType {
  /** The name of the model, such as `article`. */
  readonly name: string;
  readonly type: ServedType;
  /** Null when the backend has answered. */
  readonly error: BackendError | null;
  /** The answer; null after an error. */
  readonly body: unknown;
  readonly entries: readonly WireEntry[];
  /** The fields that the backend has refused to be asked for, such as `cover`, and `country.image` for one of another type. */
  readonly refused: ReadonlySet<string>;
  /** The fields that the backend holds as JSON in place of components. */
  readonly json: ReadonlySet<string>;
}

/**
 * Asks for a few entries of a type with all their fields, relations and files. The backend refuses a call that names an unknown field; the
 * call is then repeated without it.
 */
export async function examineType(ask: Ask, name: string, type: ServedType): Promise<ExaminedType> {
  const refused = new Set<string>();
  /** The fields that are taken for JSON and not for components. */
  let json: ReadonlySet<string> = new Set();
  let isJsonKnown = false;
  let isSorted = true;
  let names = '';
  for (;;) {
    const known = without(type, refused);
    const isMissing: IsMissing = (owner, field) =>
      owner === type.path ? json.has(field) : refused.has(`${owner}.${field}`);
    const selection = selectionOf(known, 'full', isMissing, json.size > 0 && !isJsonKnown);
    const paging = type.storage === 'single' ? '' : joined(isSorted ? NEWEST_FIRST : '', pageOf(1, ROWS));
    const { body, error } = await ask.json(callOf(type, joined(selection.query, names, paging)));
    if (error === null) {
      const bare = unwrap(body);
      const entries = (Array.isArray(bare) ? bare : [bare]).flatMap(row => entryOf(row) ?? []);
      // The first refusal of a component says that most are JSON. The fields that the answer has not are asked for once more, as components.
      const absent = [...json].filter(
        field => !entries.some(({ attributes }) => Object.hasOwn(attributes, field)),
      );
      if (!isJsonKnown && absent.length > 0 && entries.length > 0) {
        isJsonKnown = true;
        json = new Set([...json].filter(field => !absent.includes(field)));
        continue;
      }
      // Entries show which fields the type has. Without any, only a call that names the fields does.
      if (entries.length > 0 || names !== '' || !rowsOf(body)) {
        return { name, type, error, body, entries, refused, json };
      }
      names = fieldNames(known, json);
      continue;
    }
    const isInner = refusalIn(error)?.path?.includes('.') === true;
    const keys = isInner ? [] : [...Object.keys(known.fields), 'updatedAt'];
    const field = keys.find(key => isRefusalOf(key, error));
    const [inner] = refusedIn(selection.optional, error);
    const refusal = field ?? (inner && `${inner.type}.${inner.field}`);
    // A second refusal of one field is no answer to the call, which does not name the field any more.
    if (refusal === undefined || refused.has(refusal))
      return { name, type, error, body, entries: [], refused, json };
    if (refusal === 'updatedAt' && isSorted) isSorted = false;
    else if (mayBeJson(known, refusal) && !json.has(refusal))
      json = isJsonKnown ? new Set([...json, refusal]) : new Set(componentFields(known));
    else refused.add(refusal);
    if (names !== '') names = fieldNames(without(type, refused), json);
  }
}

/** @returns the type without the fields that the backend has refused. */
function without(type: ServedType, refused: ReadonlySet<string>): ServedType {
  const fields: FieldDescriptions = Object.fromEntries(
    Object.entries(type.fields).filter(([name]) => !refused.has(name)),
  );
  return { ...type, fields };
}

/** @returns the part of a query that names the fields which need no `populate`. */
function fieldNames(type: ServedType, json: ReadonlySet<string>): string {
  return Object.entries(type.fields)
    .filter(([name, field]) => !isPopulated(field) || json.has(name))
    .map(([name], index) => `fields[${index}]=${name}`)
    .join('&');
}

/** @returns the fields that are components, or JSON with the same keys. */
function componentFields({ fields }: ServedType): string[] {
  return Object.entries(fields).flatMap(([name, field]) => ('component' in field ? [name] : []));
}

function mayBeJson(type: ServedType, name: string): boolean {
  return componentFields(type).includes(name);
}
