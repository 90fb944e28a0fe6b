/** Letters that Unicode normalisation does not split into an ASCII letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' },
};

/** Replaces letters that Unicode normalisation leaves unchanged, such as `ł`. */
export function plainLetters(text: string): string {
  return text.replace(/[ßæœøđðþłı]/g, letter => LETTERS[letter] ?? letter);
}
