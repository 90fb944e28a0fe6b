import type { RichText } from '../../../shared/content/rich-text.ts';
import { plainParagraphs } from './plain-paragraphs.ts';
import { wellFormed } from './well-formed.ts';

/** @returns a source as paragraphs of plain text. The time is in proportion to the length. */
export function withoutFormatting(source: string): RichText {
  return plainParagraphs(source).map(paragraph => ['p', null, [wellFormed(paragraph)]]);
}
