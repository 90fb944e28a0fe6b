import type { AnswerWords, FormWords, PageWords } from '../../site/words.ts';
import type { CatalogueOf, PageLanguage, PluralForms } from './page-language.ts';

type Texts = Readonly<Record<string, string | PluralForms>>;

type CountName<C> = { [Name in keyof C]: C[Name] extends string ? never : Name }[keyof C];
type TextName<C> = Exclude<keyof C, CountName<C>>;
/** The placeholders of a text: `'page'` for `Page {page}`. */
type BlankNames<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | BlankNames<Rest>
  : never;
type BlankValues<Text> = [BlankNames<Text>] extends [never]
  ? []
  : [values: Readonly<Record<BlankNames<Text>, string | number>>];
type SimpleName<C> = {
  [Name in TextName<C>]: [BlankNames<C[Name]>] extends [never] ? Name : never;
}[TextName<C>];

/** @template C the English catalogue, with all names and placeholders. */
export interface LabelsOf<C> {
  readonly language: PageLanguage;
  text<Name extends TextName<C>>(name: Name, ...values: BlankValues<C[Name]>): string;
  count(name: CountName<C>, count: number): string;
  /** Formats a day, such as `23 November 2026`. @param time ms since the epoch. @param zone the time zone. */
  date(time: number, zone?: string): string;
  /** Formats an amount, abbreviated from 100,000 on. */
  amount(value: number): string;
}

export type PageLabels = LabelsOf<PageWords>;
export type FormLabels = LabelsOf<FormWords>;
export type Labels = LabelsOf<AllWords>;
export type AllWords = PageWords & FormWords & AnswerWords;

export type PageText = SimpleName<PageWords>;
export type PageCount = CountName<PageWords>;
export type FormText = SimpleName<FormWords>;
export type AnswerText = SimpleName<AnswerWords>;

const LARGE_AMOUNT = 100_000;
/** A currency such as `US$`. It needs a mark at its end: otherwise RTL text shows the sign before `US`. */
const LATIN_SYMBOL = /[A-Z]\p{Sc}$/u;
const LEFT_TO_RIGHT_MARK = '\u200e';
const BLANK = /\{(\w+)\}/g;

/** Creates each format at its first use, because one costs a phone tens of ms. */
export function createLabels<C>(language: PageLanguage, texts: CatalogueOf<C>): LabelsOf<C> {
  const { locale, timeZone, currency, replaced = {} } = language;
  const words: Texts = { ...(texts as Texts), ...replaced };
  const formats = new Map<string, unknown>();
  const format = <T>(name: string, create: () => T): T => {
    if (!formats.has(name)) formats.set(name, create());
    return formats.get(name) as T;
  };
  const numbers = (options: Intl.NumberFormatOptions = {}) =>
    format(JSON.stringify(options), () => new Intl.NumberFormat(locale, options));

  return {
    language,
    text(name, ...values) {
      const text = words[name as string] ?? '';
      return fill(typeof text === 'string' ? text : text.other, values[0]);
    },
    count(name, count) {
      const form = format('plural', () => new Intl.PluralRules(locale)).select(count);
      const own = replaced[`${name as string}_${form}`] ?? replaced[name as string];
      const forms = words[name as string] ?? '';
      const text = own ?? (typeof forms === 'string' ? forms : (forms[form] ?? forms.other));
      return fill(text, { count: numbers().format(count) });
    },
    date: (time, zone = timeZone) =>
      format(`date ${zone}`, () => new Intl.DateTimeFormat(locale, { ...DAY, timeZone: zone })).format(time),
    amount(value) {
      // The narrow sign of an Arabic currency has Latin letters, such as E£.
      const currencyDisplay = locale.startsWith('ar') ? 'symbol' : 'narrowSymbol';
      const money = { style: 'currency', currency, currencyDisplay } as const;
      const isLarge = Math.abs(value) >= LARGE_AMOUNT;
      const large = { ...money, notation: 'compact', maximumFractionDigits: 1 } as const;
      const small = Number.isInteger(value) ? { ...money, maximumFractionDigits: 0 } : money;
      const text = numbers(isLarge ? large : small).format(value);
      return text.replace(LATIN_SYMBOL, `$&${LEFT_TO_RIGHT_MARK}`);
    },
  };
}

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Keeps a placeholder without a value, so that a mistake in a text is visible. */
function fill(text: string, values: Readonly<Record<string, string | number>> | undefined): string {
  return values ? text.replace(BLANK, (blank, name: string) => String(values[name] ?? blank)) : text;
}
