import {
  type ComponentDescription,
  type FieldDescription,
  hasContent,
} from '../../shared/content/descriptions.ts';
import { isGiven, lose, quoted, type ReportContext } from './decode-context.ts';
import { isKeyOfComponents } from './decode-json.ts';
import { textOf, unwrap } from './wire.ts';

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
