import { wordsOf } from './words.ts';

/** Further words of a query are ignored. */
const MAX_WORDS = 8;
/** A shorter word is searched for as it stands: as a beginning it would find everything. */
const SHORTEST_BEGINNING = 2;

/** @returns the words of a query that are searched for. */
export function queryWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].slice(0, MAX_WORDS);
}

/**
 * @param words alternatives in the place of each word of the query.
 * @param facets words of the column `facets` that an entry must have.
 * @returns the expression of FTS5 (https://www.sqlite.org/fts5.html, 3): each word, or a longer one that begins with it, must be there.
 */
export function matchExpression(
  words: readonly (readonly string[])[],
  facets: readonly string[],
  columns = '{title headings description author body}',
): string {
  const each = words.map(others => `(${others.map(beginning).join(' OR ')})`);
  return [`${columns} : (${each.join(' AND ')})`, ...facets.map(facet => `facets : "${facet}"`)].join(
    ' AND ',
  );
}

/** Words have letters and digits alone, so that none of them can end the quotes. */
function beginning(word: string): string {
  return word.length < SHORTEST_BEGINNING ? `"${word}"` : `"${word}" OR "${word}" *`;
}
