/**
 * Characters that would do more than appear in a terminal: controls, line and paragraph separators, and the marks that
 * change the direction of text. For `replace` alone, because the expression is global.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
