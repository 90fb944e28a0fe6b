import { descriptions } from '../../../shared/content/content-types.ts';
import type { FieldDescription } from '../../../shared/content/descriptions.ts';
import type { RichNode } from '../../../shared/content/rich-text.ts';
import { isObject } from '../../wire/wire.ts';
import { BLOCKS } from '../nodes/vocabulary.ts';
import { TypesetLine, type TypesetStyle } from './typeset-line.ts';

/** Sets quotes, dashes and percentages in a page's data (decision 213). The data itself stays as it is. */
export type Typeset = <T>(data: T) => T;

export const asTyped: Typeset = data => data;

type Quotes = TypesetStyle['quotes'];
const ENGLISH: Quotes = ['“', '”', '‘', '’'];
const QUOTES: Readonly<Record<string, Quotes>> = {
  de: ['„', '“', '‚', '‘'],
  ar: ['«', '»', '“', '”'],
};

const KINDS: readonly string[] = ['text', 'texts', 'rich-text'];
/** Names, which a company writes as it likes, and a sentence that forms send back letter for letter. */
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

  /** Sets the nodes of a rich text, or a list of texts. */
  function wordsOf(items: readonly unknown[]): readonly unknown[] {
    const line = new TypesetLine(style);
    return items.map((item, index) => {
      // The nodes of a rich text never have two texts in a row.
      if (typeof items[index - 1] === 'string' && typeof item === 'string') line.begin();
      if (typeof item === 'string') return line.set(item);
      // Safe: lists in a text field are its nodes.
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

  // Safe: only the letters of texts change.
  return data => setIn(data, false) as typeof data;
}

/** @returns the list before, if nothing in it has changed. */
function changed<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}
