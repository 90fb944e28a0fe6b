/** The length of words that may have a typo, in characters. Shorter ones have too many neighbours. */
const SHORTEST = 4;
const LONGEST = 24;
/** The marks of letters, such as accents. The index leaves them out, too. */
const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;

/** @returns a text as the index compares it: in small letters, without accents. */
export function folded(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(MARKS, '');
}

/** @returns the words of a text, folded. */
export function wordsOf(text: string): readonly string[] {
  return folded(text).match(WORDS) ?? [];
}

/** @returns whether a word may be found by a spelling with a typo. */
export function mayHaveTypo(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST;
}

/**
 * @returns the word, and the word without each one of its characters. Two words that differ by one letter more, one less, another one or two
 *   letters that have changed places have one of these texts in common (the deletion neighbourhood of SymSpell).
 */
export function cutsOf(word: string): readonly string[] {
  const cuts = Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1));
  return [...new Set([word, ...cuts])];
}

/** @returns whether one typo makes one word of the other: a letter more, less or another, or two neighbours that have changed places. */
export function isOneTypo(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const restOf = (word: string, from: number) => word.slice(from);
  if (a.length === b.length)
    return (
      restOf(a, at + 1) === restOf(b, at + 1) ||
      (a[at] === b[at + 1] && a[at + 1] === b[at] && restOf(a, at + 2) === restOf(b, at + 2))
    );
  return a.length > b.length ? restOf(a, at + 1) === restOf(b, at) : restOf(a, at) === restOf(b, at + 1);
}
