/** The length of words that may have a typo, in characters. Shorter ones have too many neighbours. */
const SHORTEST = 4;
const LONGEST = 24;
/** Marks of letters, such as accents. The index leaves them out, too. */
const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;

/** As the index compares texts: in small letters, without accents. */
function folded(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(MARKS, '');
}

export function wordsOf(text: string): readonly string[] {
  return folded(text).match(WORDS) ?? [];
}

/** Whether a spelling with a typo may find a word. */
export function mayHaveTypo(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST;
}

/** Words with one typo between them share one of these texts (the deletion neighbourhood of SymSpell). */
export function cutsOf(word: string): readonly string[] {
  const cuts = Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1));
  return [...new Set([word, ...cuts])];
}

/** A typo is a letter more, less or another, or two neighbours that have changed places. */
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
