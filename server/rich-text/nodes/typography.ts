import { descriptions } from '../../../shared/content/content-types.ts';
import type { FieldDescription } from '../../../shared/content/descriptions.ts';
import type { RichNode } from '../../../shared/content/rich-text.ts';
import { isObject } from '../../wire/wire.ts';
import { BLOCKS } from './vocabulary.ts';

/** Typesets quotes, dashes and percentages in a page's data (decision 213). Returns changed copies. */
export type Typeset = <T>(data: T) => T;

export const asTyped: Typeset = data => data;

type Quotes = TypesetStyle['quotes'];
const ENGLISH: Quotes = ['“', '”', '‘', '’'];
const QUOTES: Readonly<Record<string, Quotes>> = {
  de: ['„', '“', '‚', '‘'],
  ar: ['«', '»', '“', '”'],
};

const KINDS: readonly string[] = ['text', 'texts', 'rich-text'];
/** Fields that stay as written: the site's name, the VAT id, and a sentence that forms send back. */
const KEPT: readonly string[] = ['siteName', 'vatId', 'subscribeConsent'];

const WORDED: ReadonlySet<string> = new Set(
  Object.values(descriptions)
    .flatMap(({ fields }) => Object.entries<FieldDescription>(fields))
    .filter(([name, field]) => KINDS.includes(field.kind) && !('isCode' in field) && !KEPT.includes(name))
    .map(([name]) => name),
);

const VERBATIM: ReadonlySet<string> = new Set(['code', 'pre', 'kbd', 'samp', 'var']);

export function typographyOf(locale: string): Typeset {
  const [space = ''] = /\s/.exec(new Intl.NumberFormat(locale, { style: 'percent' }).format(0.5)) ?? [];
  const style = { quotes: QUOTES[new Intl.Locale(locale).language] ?? ENGLISH, beforePercent: space };

  function setIn(value: unknown, isWorded: boolean): unknown {
    if (typeof value === 'string') return isWorded ? new TypesetLine(style).set(value) : value;
    if (Array.isArray(value)) return changed(value, isWorded ? wordsOf(value) : setAll(value));
    if (!isObject(value)) return value;
    const fields = Object.entries(value);
    const set = changed(
      fields.map(([, field]) => field),
      fields.map(([key, field]) => setIn(field, WORDED.has(key))),
    );
    return fields.every(([, field], index) => field === set[index])
      ? value
      : Object.fromEntries(fields.map(([key], index) => [key, set[index]]));
  }

  function setAll(values: readonly unknown[]): readonly unknown[] {
    return values.map(value => setIn(value, false));
  }

  /** Typesets the nodes of a rich text, or a list of texts. */
  function wordsOf(items: readonly unknown[]): readonly unknown[] {
    const line = new TypesetLine(style);
    return items.map((item, index) => {
      // Two strings in a row come from a list of texts, because a rich text has no adjacent text nodes.
      if (typeof items[index - 1] === 'string' && typeof item === 'string') line.begin();
      if (typeof item === 'string') return line.set(item);
      // The cast is safe: an array inside a rich text is one of its nodes.
      return Array.isArray(item) ? nodeOf(item as unknown as RichNode, line) : setIn(item, false);
    });
  }

  function nodeOf(node: RichNode, line: TypesetLine): RichNode {
    if (typeof node === 'string') return line.set(node);
    const [tag, attributes, children] = node;
    if (VERBATIM.has(tag) || attributes?.lang) {
      line.pass();
      return node;
    }
    const isBlock = BLOCKS.has(tag) || tag === 'br';
    if (isBlock) line.begin();
    const set = changed(
      children,
      children.map(child => nodeOf(child, line)),
    );
    if (isBlock) line.begin();
    return set === children ? node : [tag, attributes, set];
  }

  // The cast is safe: only characters of texts change.
  return data => setIn(data, false) as typeof data;
}

/** @returns `before` if no item has changed. */
function changed<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}

interface TypesetStyle {
  readonly quotes: readonly [open: string, close: string, openInner: string, closeInner: string];
  readonly beforePercent: string;
}

/** Characters that may change. Most texts have none. */
const SIGNS = /["'%]|--| - /;
const DASHES: Readonly<Record<string, string>> = { '-': '–', '--': '–', '---': '—' };
const ADDRESS = /:\/\/|@|^www\.|^\//;
const OPENS_AFTER = /[\s([{–—/„“‘‚«-]/;
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** Typesets the text between two blocks, which may span several elements. */
class TypesetLine {
  readonly #style: TypesetStyle;
  /** The last character; empty at the beginning. */
  #before = '';
  #isOpen = { '"': false, "'": false };

  constructor(style: TypesetStyle) {
    this.#style = style;
  }

  begin(): void {
    this.#before = '';
    this.#isOpen = { '"': false, "'": false };
  }

  /** Skips words that stay as they are. */
  pass(): void {
    this.#before = 'x';
  }

  set(text: string): string {
    if (!SIGNS.test(text)) {
      this.#before = text.at(-1) ?? this.#before;
      return text;
    }
    const lastClosing = closingIn(text);
    let at = 0;
    return text
      .split(/(\s+)/)
      .map((part, index, parts) => {
        const begin = at;
        at += part.length;
        if (index % 2 === 1) return this.#spaceOf(part, parts[index - 1] ?? '', parts[index + 1] ?? '');
        if (parts[index - 1] === ' ' && parts[index + 1] === ' ' && Object.hasOwn(DASHES, part))
          return DASHES[part];
        if (!ADDRESS.test(part)) return this.#wordOf(part, index === parts.length - 1, lastClosing - begin);
        this.pass();
        return part;
      })
      .join('');
  }

  #spaceOf(space: string, word: string, next: string): string {
    this.#before = space;
    return /\d$/.test(word) && /^%(?![\p{L}\d])/u.test(next) ? this.#style.beforePercent : space;
  }

  /** @param isLast whether the word ends a text. @param lastClosing the place of the last closing quote. */
  #wordOf(word: string, isLast: boolean, lastClosing: number): string {
    let set = '';
    for (const [at, sign] of word.split('').entries()) {
      const next = word[at + 1] ?? '';
      if (sign === '"') this.#before = this.#doubleQuote(next !== '' || isLast);
      else if (sign === "'") this.#before = this.#singleQuote(next, at < lastClosing);
      else this.#before = sign;
      set += this.#before;
    }
    return set
      .replace(/([^-\s])--(?=[^-\s])/g, '$1—')
      .replace(/(\d)%(?![\p{L}\d])/gu, `$1${this.#style.beforePercent}%`);
  }

  get #isAtBeginning(): boolean {
    return this.#before === '' || OPENS_AFTER.test(this.#before);
  }

  /** An unmatched `"` stays, because it may mean inches. */
  #doubleQuote(isFollowed: boolean): string {
    const wasOpen = this.#isOpen['"'];
    if (!wasOpen && !(this.#isAtBeginning && isFollowed)) return '"';
    this.#isOpen['"'] = !wasOpen;
    return this.#style.quotes[wasOpen ? 1 : 0];
  }

  #singleQuote(next: string, isClosedLater: boolean): string {
    const [, , open, close] = this.#style.quotes;
    const isBeforeLetter = LETTER.test(next);
    if (this.#isOpen["'"] && !isBeforeLetter) {
      this.#isOpen["'"] = false;
      return close;
    }
    if (this.#isAtBeginning && isClosedLater && isBeforeLetter && !/\d/.test(next)) {
      this.#isOpen["'"] = true;
      return open;
    }
    // Keep the sign for feet and minutes.
    return /\d/.test(this.#before) && !isBeforeLetter ? "'" : '’';
  }
}

/** @returns the last place where a single quote may close a quotation, or -1. */
function closingIn(text: string): number {
  for (let at = text.lastIndexOf("'"); at > 0; at = text.lastIndexOf("'", at - 1))
    if (/\S/.test(text[at - 1] ?? '') && !LETTER.test(text[at + 1] ?? '')) return at;
  return -1;
}
