/** Characters that control a terminal. Use it only in `replace`: `test` would start where it last stopped. */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Puts a text from outside on one line, without characters that control a terminal. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/ {2,}/g, ' ').trim();
}
