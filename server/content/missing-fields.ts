import { BackendError } from '../errors.ts';
import { type IsMissing, type OptionalField, type QueryForm, selectionOf } from './content-query.ts';
import { entryOf, isObject, unwrap } from './decode/wire.ts';
import type { ServedType } from './described-types.ts';

/** The optional fields that the backend lacks or holds as JSON in place of components, as learnt from its refusals. */
export interface MissingFields {
  has: IsMissing;
  /**
   * Asks for rows of a type. A backend that lacks an optional field, or cannot populate it because it is JSON, answers 400 and names the field.
   * The call is then repeated without it, and later calls leave it out as well.
   *
   * A backend that holds one value as JSON most likely holds all of the type so. After the first refusal of a component the call names none of
   * them: fields that the answer then has are JSON, and the call is repeated for those that it lacks.
   *
   * @param call calls the backend with a selection in its query.
   */
  ask<T>(type: ServedType, form: QueryForm, call: (selection: string) => Promise<T>): Promise<T>;
  /** Calls the backend with an optional field, or without it once the backend has refused the field. */
  either<T>(field: OptionalField, withField: () => Promise<T>, without: () => Promise<T>): Promise<T>;
  /** Forgets the refusals, so that later calls ask for all fields: the backend may have them now. */
  forget(): void;
}

/**
 * @param onRefused called when the backend refuses a field.
 * @param onAccepted called when the backend accepts a field that it has refused before.
 */
export function createMissingFields(
  onRefused: (field: OptionalField) => void,
  onAccepted: (field: OptionalField) => void = () => {},
): MissingFields {
  const missing = new Set<string>();
  /** Fields that were refused last time, also after `forget`. */
  const refusedLast = new Set<string>();
  const keyOf = (type: string, field: string) => `${type}.${field}`;

  function accepted(fields: readonly OptionalField[]): void {
    if (refusedLast.size === 0) return;
    for (const field of fields) if (refusedLast.delete(keyOf(field.type, field.field))) onAccepted(field);
  }

  function refuse(field: OptionalField): void {
    const key = keyOf(field.type, field.field);
    missing.add(key);
    refusedLast.add(key);
    onRefused(field);
  }

  return {
    has: (type, field) => missing.has(keyOf(type, field)),
    async ask(type, form, call) {
      // `forget` may empty `missing` between two attempts. `refusedHere` still leaves out the refused fields, so the loop ends.
      const refusedHere = new Set<string>();
      /** The components that are left out of the next call, to find out whether their fields are JSON. Null before the first refusal. */
      let leftOut: readonly OptionalField[] | null = null;
      /** Refused fields whose name another field has as well, where the backend does not say which it means. */
      let guessed: readonly OptionalField[] = [];
      let hasGuessed = false;
      for (;;) {
        const isMissing: IsMissing = (owner, field) => {
          const key = keyOf(owner, field);
          return missing.has(key) || refusedHere.has(key) || isIn(leftOut, owner, field);
        };
        const { query, optional } = selectionOf(type, form, isMissing, (leftOut?.length ?? 0) > 0);
        try {
          const answers = await call(query);
          accepted(optional);
          const lost = guessed.filter(field => !isSent(answers, field));
          if (lost.length > 0) {
            // One of several fields with this name was refused, and the answer lacks others: these are no JSON.
            for (const field of lost) {
              refusedHere.delete(keyOf(field.type, field.field));
              missing.delete(keyOf(field.type, field.field));
            }
            guessed = [];
            hasGuessed = true;
            continue;
          }
          if (!leftOut?.length) return answers;
          const known = keysIn(answers);
          if (known.size === 0) return answers;
          for (const json of leftOut.filter(({ field }) => known.has(field))) {
            refusedHere.add(keyOf(json.type, json.field));
            refuse(json);
          }
          // A type that is populated as a whole has more than the call that was to show its JSON.
          if (!type.populatesAll && leftOut.every(({ field }) => known.has(field))) return answers;
          leftOut = [];
        } catch (error) {
          const [refused, ...others] = refusedIn(optional, error);
          if (!refused) throw error;
          if (others.length > 0 && !hasGuessed) guessed = [...guessed, refused];
          refusedHere.add(keyOf(refused.type, refused.field));
          refuse(refused);
          if (refused.cost === null && refused.type === type.path)
            leftOut ??= optional.filter(
              other => other !== refused && other.cost === null && other.type === type.path,
            );
        }
      }
    },
    async either(field, withField, without) {
      const key = keyOf(field.type, field.field);
      if (missing.has(key)) return without();
      try {
        const answers = await withField();
        accepted([field]);
        return answers;
      } catch (error) {
        if (!isRefusalOf(field.field, error)) throw error;
        refuse(field);
        return without();
      }
    },
    forget: () => missing.clear(),
  };
}

function isIn(fields: readonly OptionalField[] | null, type: string, field: string): boolean {
  return fields?.some(other => other.type === type && other.field === field) ?? false;
}

/** @returns the names of the fields that the rows of answers have. */
function keysIn(answers: unknown): ReadonlySet<string> {
  const rows = [answers].flat().flatMap(answer => unwrap(isObject(answer) ? answer.body : null) ?? []);
  return new Set(rows.flatMap(row => Object.keys(entryOf(row)?.attributes ?? {})));
}

/** Strapi 5 writes `Invalid key items at partnersBlock.populate.items`; earlier versions leave the place out. */
const REFUSAL = /\bInvalid key ([\w-]+)(?: at ([\w.[\]-]+))?/;

/** @returns the field that a 400 of the backend names, and its place among the populated fields if the backend says so. */
export function refusalIn(error: unknown): { field: string; path: string | null } | null {
  if (!(error instanceof BackendError) || error.status !== 400) return null;
  const [, field, place] = REFUSAL.exec(error.reason) ?? [];
  if (field === undefined) return null;
  const names = place?.split(/[.[\]]+/).filter(name => name !== '' && name !== 'populate');
  return { field, path: names ? names.join('.') : null };
}

/** @returns the fields that a refusal may mean: one, if the backend names its place. */
export function refusedIn(optional: readonly OptionalField[], error: unknown): readonly OptionalField[] {
  const path = refusalIn(error)?.path;
  const exact = path ? optional.filter(field => field.path === path) : [];
  return exact.length > 0 ? exact.slice(0, 1) : optional.filter(({ field }) => isRefusalOf(field, error));
}

/** @returns whether a 400 of the backend names the field, in the form of Strapi 5 or as a word. */
export function isRefusalOf(field: string, error: unknown): boolean {
  if (!(error instanceof BackendError) || error.status !== 400) return false;
  const refusal = refusalIn(error);
  if (refusal) return refusal.field === field;
  // The error's message begins with the call, and a path may contain the name of a field.
  const words = error.message.slice(error.call.length).split(/[^\w-]+/);
  return words.includes(field);
}

/** @returns whether answers have a field at its place. */
function isSent(answers: unknown, { path = '' }: OptionalField): boolean {
  const rows = [answers].flat().flatMap(answer => unwrap(isObject(answer) ? answer.body : null) ?? []);
  return rows.some(row => hasAt(row, path.split('.')));
}

function hasAt(value: unknown, [name = '', ...rest]: readonly string[]): boolean {
  const entries = [unwrap(value)]
    .flat()
    .flatMap(one => (isObject(one) ? [entryOf(one)?.attributes ?? one] : []));
  return entries.some(entry => Object.hasOwn(entry, name) && (rest.length === 0 || hasAt(entry[name], rest)));
}
