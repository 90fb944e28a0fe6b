import { BackendError } from '../errors.ts';
import { type IsMissing, type OptionalField, type QueryForm, selectionOf } from './content-query.ts';
import type { ServedType } from './described-types.ts';

/** The optional fields that the backend was found to lack. */
export interface MissingFields {
  has: IsMissing;
  /**
   * Asks for rows of a type. A backend that lacks an optional field answers 400 and names it: the call is then made again without the
   * field, and so are all later calls.
   *
   * @param call makes the call with this part of its query.
   */
  ask<T>(type: ServedType, form: QueryForm, call: (selection: string) => Promise<T>): Promise<T>;
  /** From now on all fields are asked for: somebody may have added them. */
  forget(): void;
}

/** @param onRefused called when the backend refuses a field. */
export function createMissingFields(onRefused: (field: OptionalField) => void): MissingFields {
  const missing = new Set<string>();
  const keyOf = (type: string, field: string) => `${type}.${field}`;

  return {
    has: (type, field) => missing.has(keyOf(type, field)),
    async ask(type, form, call) {
      // `forget` does not reach into a call under way, so each refusal makes its next query shorter.
      const refusedHere = new Set<string>();
      for (;;) {
        const { query, optional } = selectionOf(type, form, (owner, field) => {
          const key = keyOf(owner, field);
          return missing.has(key) || refusedHere.has(key);
        });
        try {
          return await call(query);
        } catch (error) {
          const refused = optional.find(({ field }) => isRefusalOf(field, error));
          if (!refused) throw error;
          const key = keyOf(refused.type, refused.field);
          refusedHere.add(key);
          missing.add(key);
          onRefused(refused);
        }
      }
    },
    forget: () => missing.clear(),
  };
}

/** @returns whether the backend names the field in a 400, as Strapi 5 does: `Invalid key seoImage`. `updatedAt` does not name `date`. */
function isRefusalOf(field: string, error: unknown): boolean {
  if (!(error instanceof BackendError) || error.status !== 400) return false;
  // The message begins with the call, whose path may have the name of a field.
  const words = error.message.slice(error.call.length).split(/[^\w-]+/);
  return words.includes(field);
}
