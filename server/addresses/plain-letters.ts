/** ASCII forms of letters that Unicode normalisation does not split into an ASCII letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' },
};

/** Replaces these letters by their ASCII forms. */
export function plainLetters(text: string): string {
  return text.replace(/[ßæœøđðþłı]/g, letter => LETTERS[letter] ?? letter);
}
