/** Characters that would change a terminal. For `replace` alone: `test` remembers where it stopped. */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text from outside on one line, without characters that control a terminal. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/ {2,}/g, ' ').trim();
}
