import { BackendError } from '../../errors.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, isObject, unwrap } from '../../wire/wire.ts';
import {
  type IsMissing,
  type OptionalField,
  type QueryForm,
  type Selection,
  selectionOf,
} from './content-query.ts';

/** Optional fields that the backend lacks or stores as JSON, as its refusals show. */
export class MissingFields {
  readonly #onRefused: (field: OptionalField) => void;
  readonly #onAccepted: (field: OptionalField) => void;
  readonly #missing = new Set<string>();
  /** The fields of the last refusals, which `forget` keeps. */
  readonly #refusedLast = new Set<string>();

  constructor(
    onRefused: (field: OptionalField) => void,
    onAccepted: (field: OptionalField) => void = () => {},
  ) {
    this.#onRefused = onRefused;
    this.#onAccepted = onAccepted;
  }

  has(type: string, field: string): boolean {
    return this.#missing.has(keyOf({ type, field }));
  }

  /**
   * Calls the backend without fields that it refuses (400), because it lacks them or stores them as JSON.
   * After a refused component, the next call names no component. Those in its response are JSON. A last call
   * names the others.
   */
  async ask<T>(type: ServedType, form: QueryForm, call: (selection: string) => Promise<T>): Promise<T> {
    const attempts = new Attempts(type, this);
    for (;;) {
      const { query, optional } = attempts.selection(form);
      try {
        const answers = await call(query);
        this.#accept(optional);
        if (attempts.areEnough(answers)) return answers;
      } catch (error) {
        attempts.noteRefusal(optional, error);
      }
    }
  }

  async either<T>(field: OptionalField, withField: () => Promise<T>, without: () => Promise<T>): Promise<T> {
    if (this.#missing.has(keyOf(field))) return without();
    try {
      const answers = await withField();
      this.#accept([field]);
      return answers;
    } catch (error) {
      if (!isRefusalOf(field.field, error)) throw error;
      this.refuse(field);
      return without();
    }
  }

  forget(): void {
    this.#missing.clear();
  }

  #accept(fields: readonly OptionalField[]): void {
    if (this.#refusedLast.size === 0) return;
    for (const field of fields) if (this.#refusedLast.delete(keyOf(field))) this.#onAccepted(field);
  }

  refuse(field: OptionalField): void {
    this.#missing.add(keyOf(field));
    this.#refusedLast.add(keyOf(field));
    this.#onRefused(field);
  }

  /** Lets calls name a field again, because the backend had refused another field of this name. */
  retract(field: OptionalField): void {
    this.#missing.delete(keyOf(field));
  }
}

class Attempts {
  readonly #type: ServedType;
  readonly #known: MissingFields;
  /** The refused fields. Without them the loop might not end: `forget` may empty `missing` meanwhile. */
  readonly #refused = new Set<string>();
  /** Components left out of the next call, to learn which are JSON. Null before the first refusal. */
  #leftOut: readonly OptionalField[] | null = null;
  /** Fields taken for the refused one, because several share its name and the backend does not say which. */
  #guessed: readonly OptionalField[] = [];
  #hasGuessed = false;

  constructor(type: ServedType, known: MissingFields) {
    this.#type = type;
    this.#known = known;
  }

  selection(form: QueryForm): Selection {
    const isMissing: IsMissing = (type, field) =>
      this.#known.has(type, field) ||
      this.#refused.has(keyOf({ type, field })) ||
      isIn(this.#leftOut, type, field);
    return selectionOf(this.#type, form, isMissing, (this.#leftOut?.length ?? 0) > 0);
  }

  /** Learns which left-out fields are JSON. @returns whether no further call is needed. */
  areEnough(answers: unknown): boolean {
    const lost = this.#guessed.filter(field => !isSent(answers, field));
    if (lost.length > 0) {
      // Ask for these fields again, because only another field of this name was refused.
      for (const field of lost) {
        this.#refused.delete(keyOf(field));
        this.#known.retract(field);
      }
      this.#guessed = [];
      this.#hasGuessed = true;
      return false;
    }
    const leftOut = this.#leftOut ?? [];
    const sent = leftOut.length > 0 ? keysIn(answers) : new Set<string>();
    if (sent.size === 0) return true;
    for (const json of leftOut.filter(({ field }) => sent.has(field))) this.#refuse(json);
    // Call again for a type with `populatesAll`, because the last call requested fewer fields.
    if (!this.#type.populatesAll && leftOut.every(({ field }) => sent.has(field))) return true;
    this.#leftOut = [];
    return false;
  }

  noteRefusal(optional: readonly OptionalField[], error: unknown): void {
    const [refused, ...others] = refusedIn(optional, error);
    if (!refused) throw error;
    if (others.length > 0 && !this.#hasGuessed) this.#guessed = [...this.#guessed, refused];
    this.#refuse(refused);
    const { path } = this.#type;
    const isOwn = ({ cost, type }: OptionalField) => cost === null && type === path;
    if (isOwn(refused)) this.#leftOut ??= optional.filter(other => other !== refused && isOwn(other));
  }

  #refuse(field: OptionalField): void {
    this.#refused.add(keyOf(field));
    this.#known.refuse(field);
  }
}

function keyOf({ type, field }: Pick<OptionalField, 'type' | 'field'>): string {
  return `${type}.${field}`;
}

function isIn(fields: readonly OptionalField[] | null, type: string, field: string): boolean {
  return fields?.some(other => other.type === type && other.field === field) ?? false;
}

function rowsOf(answers: unknown): readonly unknown[] {
  return [answers].flat().flatMap(answer => unwrap(isObject(answer) ? answer.body : null) ?? []);
}

function keysIn(answers: unknown): ReadonlySet<string> {
  return new Set(rowsOf(answers).flatMap(row => Object.keys(entryOf(row)?.attributes ?? {})));
}

/** Strapi 5: `Invalid key items at partnersBlock.populate.items`. Earlier versions omit the place. */
const REFUSAL = /\bInvalid key ([\w-]+)(?: at ([\w.[\]-]+))?/;

export function refusalIn(error: unknown): { field: string; path: string | null } | null {
  if (!(error instanceof BackendError) || error.status !== 400) return null;
  const [, field, place] = REFUSAL.exec(error.reason) ?? [];
  if (field === undefined) return null;
  const names = place?.split(/[.[\]]+/).filter(name => name !== '' && name !== 'populate');
  return { field, path: names ? names.join('.') : null };
}

function refusedIn(optional: readonly OptionalField[], error: unknown): readonly OptionalField[] {
  const path = refusalIn(error)?.path;
  const exact = path ? optional.filter(field => field.path === path) : [];
  return exact.length > 0 ? exact.slice(0, 1) : optional.filter(({ field }) => isRefusalOf(field, error));
}

export function isRefusalOf(field: string, error: unknown): boolean {
  if (!(error instanceof BackendError) || error.status !== 400) return false;
  const refusal = refusalIn(error);
  if (refusal) return refusal.field === field;
  // Cut the call off the message, because its path may contain the name of a field.
  const words = error.message.slice(error.call.length).split(/[^\w-]+/);
  return words.includes(field);
}

function isSent(answers: unknown, { path = '' }: OptionalField): boolean {
  return rowsOf(answers).some(row => hasAt(row, path.split('.')));
}

function hasAt(value: unknown, [name = '', ...rest]: readonly string[]): boolean {
  const entries = [unwrap(value)]
    .flat()
    .flatMap(one => (isObject(one) ? [entryOf(one)?.attributes ?? one] : []));
  return entries.some(entry => Object.hasOwn(entry, name) && (rest.length === 0 || hasAt(entry[name], rest)));
}
