import type { FoundLosses } from './found-losses.ts';
import { MAX_CELLS, markersIn } from './source-bounds.ts';

/** Markers in all tables of a text. With more of them `checkMarkdown` would refuse the complete text. */
const MAX_MARKERS = 5_000;

/**
 * Replaces tables of Markdown that are too large by their rows as paragraphs, with points between the cells. The other parts of the
 * text stay as they are. Without this step one large table would cost the text all its formatting.
 */
export function withoutLargeTables(source: string, losses: FoundLosses): string {
  if (markersIn(source) < MAX_MARKERS) return source;
  let markers = 0;
  let cells = 0;
  return source
    .split(/(\r?\n[ \t]*\r?\n)/)
    .map(part => {
      const [header, delimiters = '', ...rows] = part.split(/\r?\n/).filter(line => line.trim() !== '');
      if (header === undefined || !isDelimiterRow(delimiters)) return part;
      const lines = [header, ...rows].map(cellsOf);
      const columns = Math.max(...lines.map(({ length }) => length));
      const size = columns * lines.length;
      const inside = markersIn(part);
      if (markers + inside <= MAX_MARKERS && cells + size <= MAX_CELLS) {
        markers += inside;
        cells += size;
        return part;
      }
      losses.add(
        'shown-as-text',
        `a table of ${lines.length} rows and ${columns} columns is too large: its rows are shown as lines of text`,
      );
      return lines.map(line => line.filter(cell => cell !== '').join(' · ')).join('\n\n');
    })
    .join('');
}

function isDelimiterRow(line: string): boolean {
  return /^[ \t|:-]+$/.test(line) && line.includes('|') && line.includes('-');
}

function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map(cell => cell.trim());
}
