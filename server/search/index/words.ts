/** The shortest word that is corrected. Shorter words have too many neighbours. */
const SHORTEST = 4;
const LONGEST = 24;
/** Marks of letters, such as accents, which the index ignores too. */
const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Folds a text as the index does: to lower case without accents. */
export function folded(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(MARKS, '');
}

export function wordsOf(text: string): readonly string[] {
  return folded(text).match(WORDS) ?? [];
}

export function mayHaveTypo(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST;
}

/** @returns a word's deletion neighbourhood (SymSpell). Words that differ by one typo share an element. */
export function cutsOf(word: string): readonly string[] {
  const cuts = Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1));
  return [...new Set([word, ...cuts])];
}

/** @returns the words of the column `facets` that hits must have. */
export function facetsOf(type: string | null, category: string | null): readonly string[] {
  return [
    ...(type === null ? [] : [`type${letters(type)}`]),
    ...(category === null ? [] : [`category${letters(category)}`]),
  ];
}

/** @returns a text as one word of the index, whatever its characters. */
function letters(text: string): string {
  return Buffer.from(text).toString('hex');
}
