/** Letters that Unicode does not divide into a letter of ASCII and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' },
};

/** Replaces letters that normal forms of Unicode leave as they are, such as `ł`. */
export function plainLetters(text: string): string {
  return text.replace(/[ßæœøđðþłı]/g, letter => LETTERS[letter] ?? letter);
}
