import type en from './en.ts';
import type enAnswers from './en-answers.ts';
import type enForms from './en-forms.ts';
import type { PageLanguage, PluralForms } from './page-language.ts';

type Texts = Readonly<Record<string, string | PluralForms>>;

/** A catalogue in another language: the same names as the English one, and the same blanks in their texts. */
export type CatalogueOf<English> = {
  readonly [Name in keyof English]: English[Name] extends string ? string : PluralForms;
};

/** The names of texts that depend on a number. */
type CountName<C> = { [Name in keyof C]: C[Name] extends string ? never : Name }[keyof C];
type TextName<C> = Exclude<keyof C, CountName<C>>;
/** The blanks of a text: `'page'` for `Page {page}`. */
type BlankNames<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | BlankNames<Rest>
  : never;
type BlankValues<Text> = [BlankNames<Text>] extends [never]
  ? []
  : [values: Readonly<Record<BlankNames<Text>, string | number>>];
/** The names of texts without blanks. */
type SimpleName<C> = {
  [Name in TextName<C>]: [BlankNames<C[Name]>] extends [never] ? Name : never;
}[TextName<C>];

/** The words of one language. @template C the English catalogue, whose texts tell the names and blanks. */
export interface LabelsOf<C> {
  readonly language: PageLanguage;
  /** @returns a text with its blanks filled in. */
  text<Name extends TextName<C>>(name: Name, ...values: BlankValues<C[Name]>): string;
  /** @returns the text for a number, with the number as the locale writes it. */
  count(name: CountName<C>, count: number): string;
  /** @param time ms since the epoch. @param zone the time zone; that of the site by default. @returns a day, such as `23 November 2026`. */
  date(time: number, zone?: string): string;
  /** @returns an amount of money. Amounts from 100,000 on are abbreviated; prices are not. */
  amount(value: number): string;
}

/** The words of pages: those that a browser has. */
export type PageLabels = LabelsOf<typeof en>;
/** The words of the check of a form. */
export type FormLabels = LabelsOf<typeof enForms>;
/** All words. The server has them. */
export type Labels = LabelsOf<AllWords>;
export type AllWords = typeof en & typeof enForms & typeof enAnswers;

export type PageText = SimpleName<typeof en>;
export type PageCount = CountName<typeof en>;
export type FormText = SimpleName<typeof enForms>;
export type FormCount = CountName<typeof enForms>;
export type AnswerText = SimpleName<typeof enAnswers>;

/** From this amount on figures are abbreviated. */
const LARGE_AMOUNT = 100_000;
/** A symbol such as `US$` at the end of an amount. Without the mark its sign stands before its letters in a text from right to left. */
const LATIN_SYMBOL = /[A-Z]\p{Sc}$/u;
const LEFT_TO_RIGHT_MARK = '\u200e';
const BLANK = /\{(\w+)\}/g;

/**
 * @param texts the catalogue of the language.
 * @returns the words and formats of a language. Each format is created when it is first used: this takes a phone tens of milliseconds, and a
 *   browser that keeps the server's markup needs none.
 */
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
      const money = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
      const isLarge = Math.abs(value) >= LARGE_AMOUNT;
      const large = { ...money, notation: 'compact', maximumFractionDigits: 1 } as const;
      const small = Number.isInteger(value) ? { ...money, maximumFractionDigits: 0 } : money;
      const text = numbers(isLarge ? large : small).format(value);
      return text.replace(LATIN_SYMBOL, `$&${LEFT_TO_RIGHT_MARK}`);
    },
  };
}

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** A blank without a value stays as it is, so that a mistake in a text of the content is seen. */
function fill(text: string, values: Readonly<Record<string, string | number>> | undefined): string {
  return values ? text.replace(BLANK, (blank, name: string) => String(values[name] ?? blank)) : text;
}
