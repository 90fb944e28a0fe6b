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
      for (;;) {
        const { query, optional } = selectionOf(type, form, (owner, field) => {
          const key = keyOf(owner, field);
          return missing.has(key) || refusedHere.has(key) || isIn(leftOut, owner, field);
        });
        try {
          const answers = await call(query);
          accepted(optional);
          if (!leftOut?.length) return answers;
          const known = keysIn(answers);
          if (known.size === 0) return answers;
          for (const json of leftOut.filter(({ field }) => known.has(field))) {
            refusedHere.add(keyOf(json.type, json.field));
            refuse(json);
          }
          if (leftOut.every(({ field }) => known.has(field))) return answers;
          leftOut = [];
        } catch (error) {
          const refused = optional.find(({ field }) => isRefusalOf(field, error));
          if (!refused) throw error;
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

/** @returns whether a 400 of the backend names the field as a word, as Strapi 5 does: `Invalid key seoImage`. */
export function isRefusalOf(field: string, error: unknown): boolean {
  if (!(error instanceof BackendError) || error.status !== 400) return false;
  // The error's message begins with the call, and a path may contain the name of a field.
  const words = error.message.slice(error.call.length).split(/[^\w-]+/);
  return words.includes(field);
}
