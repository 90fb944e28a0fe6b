import type { RichText } from '../../../shared/content/rich-text.ts';
import { wellFormed } from './well-formed.ts';

/** The last paragraph holds the rest. */
const MAX_PARAGRAPHS = 1_000;

/** Ends of blocks in HTML, blank lines, and line breaks before the row of a Markdown table. */
const BREAKS =
  /<\/(?:p|div|li|tr|h[1-6]|blockquote|table|ul|ol|figure)>|<br ?\/?>|\n[ \t]*\n|\n(?=[ \t]*\|)/i;
/** A row below the header of a Markdown table, which has no text. */
const DELIMITERS = /^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;

/** For a source that is too complex for the parsers. The time is in proportion to the length. */
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

/** Divides the cells of a Markdown table's row by points; another text stays as it is. */
function withoutCells(text: string): string {
  const row = text.trim();
  if (!row.startsWith('|') || !row.endsWith('|')) return text;
  const cells = row.split('|').map(cell => cell.trim());
  return cells.filter(cell => cell !== '').join(' · ');
}

/** The time is in proportion to the length. */
export function withoutFormatting(source: string): RichText {
  return plainParagraphs(source).map(paragraph => ['p', null, [wellFormed(paragraph)]]);
}
