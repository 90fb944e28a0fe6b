import type { RichText } from '../../../shared/content/rich-text.ts';
import { wellFormed } from '../nodes/node-texts.ts';

/** Limit for paragraphs. The last one contains the rest. */
const MAX_PARAGRAPHS = 1_000;

/** Ends of HTML blocks, blank lines, and line breaks before a Markdown table row. */
const BREAKS =
  /<\/(?:p|div|li|tr|h[1-6]|blockquote|table|ul|ol|figure)>|<br ?\/?>|\n[ \t]*\n|\n(?=[ \t]*\|)/i;
/** The row below a Markdown table's header, which has no text. */
const DELIMITERS = /^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;

/** Divides a source that is too complex for the parsers into paragraphs, in linear time. */
export function plainParagraphs(source: string): readonly string[] {
  const paragraphs = source
    .split(BREAKS)
    .filter(part => !DELIMITERS.test(part))
    .map(part =>
      withoutCells(part.replace(/<[a-z/!][^<>]*>/gi, ' '))
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(part => part !== '');
  const rest = paragraphs.slice(MAX_PARAGRAPHS - 1);
  return rest.length > 1 ? [...paragraphs.slice(0, MAX_PARAGRAPHS - 1), rest.join(' ')] : paragraphs;
}

function withoutCells(text: string): string {
  const row = text.trim();
  if (!row.startsWith('|') || !row.endsWith('|')) return text;
  const cells = row.split('|').map(cell => cell.trim());
  return cells.filter(cell => cell !== '').join(' · ');
}

export function withoutFormatting(source: string): RichText {
  return plainParagraphs(source).map(paragraph => ['p', null, [wellFormed(paragraph)]]);
}
