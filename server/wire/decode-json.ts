import {
  type ComponentDescription,
  type FieldDescription,
  hasContent,
} from '../../shared/content/descriptions.ts';
import type { Json, JsonObject } from '../../shared/content/json.ts';
import {
  inside,
  isGiven,
  kindOf,
  type ListContext,
  lose,
  quoted,
  type ReportContext,
  shownItems,
} from './decode-context.ts';
import { isObject, jsonOf, MAX_JSON_TEXT, textOf, unwrap } from './wire.ts';

/** Keys that Strapi adds to components. */
const KEYS_OF_COMPONENTS: readonly string[] = ['id', 'documentId', '__component'];

export function isKeyOfComponents(key: string): boolean {
  return KEYS_OF_COMPONENTS.includes(key);
}

export type Item<T, C> = readonly [value: T, context: C];

/** The longest text without formatting, in characters. Pages repeat some of these texts often. */
const MAX_TEXT = 5_000;

/** Decodes a text. An empty text is null. Reports other kinds of values, and cuts and reports a long text. */
export function textAt(value: unknown, context: ReportContext): string | null {
  const text = textOf(value);
  if (text !== null && text.length > MAX_TEXT) {
    lose(context, 'value-left-out', `only the first ${MAX_TEXT} of ${text.length} characters are shown`);
    return text.slice(0, MAX_TEXT).toWellFormed();
  }
  if (text === null && isGiven(value) && typeof value !== 'string')
    lose(context, 'value-left-out', `${kindOf(value)} stands where a text should be: it is not shown`);
  return text;
}

export function jsonAt(value: unknown, context: ReportContext): Json {
  const json = jsonOf(value);
  if (json === null && typeof value === 'string' && isGiven(value) && value.trim() !== 'null') {
    const { field } = context.at;
    if (value.length > MAX_JSON_TEXT)
      lose(
        context,
        'value-left-out',
        `'${field}' has more than ${MAX_JSON_TEXT} characters: it is not shown`,
      );
    else lose(context, 'broken-json', `'${field}' is no JSON: it counts as empty`);
  }
  return json;
}

/** Decodes a list up to the limit of the entry. Reports further items, and values that are not lists. */
export function itemsAt<C extends ListContext>(value: unknown, context: C): readonly Item<Json, C>[] {
  const list = jsonAt(value, context);
  if (Array.isArray(list))
    return shownItems<Json>(list, context).map((item, index) => [item, inside(context, index)]);
  if (isGiven(list)) lose(context, 'value-left-out', `${kindOf(list)} is not shown: a list is needed`);
  return [];
}

/** @param keys the known keys. Other keys are reported, because a misspelt key would hide its value. */
export function objectsAt<C extends ListContext>(
  value: unknown,
  context: C,
  keys: readonly string[],
): readonly Item<JsonObject, C>[] {
  return itemsAt(value, context).flatMap(([item, at]) => {
    const object = objectIn(item, at, keys);
    return object ? [[object, at] as const] : [];
  });
}

export function objectAt(value: unknown, context: ReportContext, keys: readonly string[]): JsonObject | null {
  return objectIn(jsonAt(value, context), context, keys);
}

function objectIn(value: Json, context: ReportContext, keys: readonly string[]): JsonObject | null {
  if (!isObject(value)) {
    if (isGiven(value)) lose(context, 'value-left-out', notShown(value, `an object with ${keys.join(', ')}`));
    return null;
  }
  const unknown = Object.keys(value).filter(
    key => !keys.includes(key) && !isKeyOfComponents(key) && isGiven(value[key]),
  );
  if (unknown.length > 0) {
    const names = unknown.map(quoted).join(', ');
    lose(context, 'value-left-out', `${names}: not shown, because the known keys are ${keys.join(', ')}`);
  }
  return value as JsonObject;
}

export function notShown(value: unknown, needed: string): string {
  const shown = typeof value === 'string' ? quoted(value) : kindOf(value);
  return `${shown} is not shown: ${needed} is needed`;
}

/** Whether an item has the values that its component needs. Reports an item that lacks one. */
export function isWhole(
  { fields, noun, needs = [], needsOneOf }: ComponentDescription,
  values: Readonly<Record<string, unknown>>,
  item: Readonly<Record<string, unknown>>,
  context: ReportContext,
): boolean {
  const isWhole =
    needs.every(name => hasContent(values[name])) &&
    (needsOneOf?.some(name => hasContent(values[name])) ?? true);
  const needed = (needsOneOf ?? needs).map(name => nounOf(name, fields[name]));
  if (!isWhole) loseItem(context, item, noun, inWords(needed, needsOneOf ? 'or' : 'and'));
  return isWhole;
}

/** Reports a skipped item, unless all its values are empty. @param noun such as `a link`. */
export function loseItem(
  context: ReportContext,
  item: Readonly<Record<string, unknown>>,
  noun: string,
  needed: string,
): void {
  const values = Object.entries(item).flatMap(([key, value]) =>
    isKeyOfComponents(key) ? [] : [unwrap(value)],
  );
  const given = values.find(isGiven);
  if (given === undefined) return;
  const name = [item.title, item.name, item.question, item.label, given].find(
    value => textOf(value) !== null,
  );
  lose(context, 'value-left-out', `${quoted(name ?? given)} is not shown: ${noun} needs ${needed}`);
}

/** @returns the log's noun for a field: `an address`, `a title`, `a partner`. */
export function nounOf(name: string, field: FieldDescription | undefined): string {
  if (field?.noun) return withArticle(field.noun);
  return field?.kind === 'list' ? field.component.noun : withArticle(name);
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Joins nouns for the log: `a title, a slug and a date`. */
export function inWords(nouns: readonly string[], word: 'and' | 'or'): string {
  return [nouns.slice(0, -1).join(', '), ...nouns.slice(-1)].filter(Boolean).join(` ${word} `);
}
