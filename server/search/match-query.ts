import { wordsOf } from './words.ts';

/** Further words of a query are ignored. */
const MAX_WORDS = 8;
/** A shorter word is searched for as it stands: as a beginning it would find everything. */
const SHORTEST_BEGINNING = 2;
const ALL_TEXTS = '{title headings description author tags body}';

/** @returns the words of a query that are searched for. */
export function queryWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].slice(0, MAX_WORDS);
}

/**
 * @param words alternatives in the place of each word of the query.
 * @param facets words of the column `facets` that an entry must have.
 * @param atLeast how many of the words an entry must have.
 * @returns the expression of FTS5 (https://www.sqlite.org/fts5.html, 3): a word is there if it, or a longer one that begins with it, is there.
 */
export function matchExpression(
  words: readonly (readonly string[])[],
  facets: readonly string[],
  { columns = ALL_TEXTS, atLeast = words.length }: { columns?: string; atLeast?: number } = {},
): string {
  const each = words.map(others => `(${others.map(beginning).join(' OR ')})`);
  const choices = choicesOf(each, atLeast).map(chosen => `(${chosen.join(' AND ')})`);
  return [`${columns} : (${choices.join(' OR ')})`, ...facets.map(facet => `facets : "${facet}"`)].join(
    ' AND ',
  );
}

/** @returns each way to choose a number of items, in their order. */
function choicesOf<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return items.flatMap((item, at) =>
    choicesOf(items.slice(at + 1), count - 1).map(others => [item, ...others]),
  );
}

/** Words have letters and digits alone, so that none of them can end the quotes. */
function beginning(word: string): string {
  return word.length < SHORTEST_BEGINNING ? `"${word}"` : `"${word}" OR "${word}" *`;
}
