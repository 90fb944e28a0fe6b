/**
 * Characters that would change a terminal instead of appearing in it: controls, line and paragraph separators, and the marks that
 * change the direction of text. For `replace` alone: the expression is global, so `test` would remember where it stopped.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
