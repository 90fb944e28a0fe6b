export interface TypesetStyle {
  /** Outer and inner quotes. */
  readonly quotes: readonly [open: string, close: string, openInner: string, closeInner: string];
  /** What stands between a number and the sign for percent. */
  readonly beforePercent: string;
}

/** Signs that may change. Most texts have none. */
const SIGNS = /["'%]|--| - /;
const DASHES: Readonly<Record<string, string>> = { '-': '–', '--': '–', '---': '—' };
const ADDRESS = /:\/\/|@|^www\.|^\//;
const OPENS_AFTER = /[\s([{–—/„“‘‚«-]/;
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** The words between two blocks, which may stand in several elements. */
export class TypesetLine {
  readonly #style: TypesetStyle;
  /** The last sign; empty at the beginning. */
  #before = '';
  #isOpen = { '"': false, "'": false };

  constructor(style: TypesetStyle) {
    this.#style = style;
  }

  begin(): void {
    this.#before = '';
    this.#isOpen = { '"': false, "'": false };
  }

  /** Passes words that keep their signs. */
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

  /** @param isLast whether another element may follow. @param lastClosing the place of a closing quote. */
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

  /** An unmatched sign stays, because it may mean inches. */
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
    // Feet and minutes.
    return /\d/.test(this.#before) && !isBeforeLetter ? "'" : '’';
  }
}

/** @returns the last place where a single quote may close a quotation, or -1. */
function closingIn(text: string): number {
  for (let at = text.lastIndexOf("'"); at > 0; at = text.lastIndexOf("'", at - 1))
    if (/\S/.test(text[at - 1] ?? '') && !LETTER.test(text[at + 1] ?? '')) return at;
  return -1;
}
