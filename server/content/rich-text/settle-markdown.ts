import type { Table } from 'mdast';
import type { FoundLosses } from './found-losses.ts';
import type { Footnotes } from './source-bounds.ts';

type Cells = Table['children'][number]['children'];

/** Widens each table to its longest row: Markdown would leave out the cells beyond the header. */
export function widenTables(tables: readonly Table[]): void {
  for (const table of tables) {
    const columns = Math.max(...table.children.map(({ children }) => lengthOf(children)));
    const align = [...(table.align ?? [])];
    while (align.length < columns) align.push(null);
    table.align = align;
  }
}

/** Notes footnotes that are not shown: those that no text refers to, and a second one of the same name. */
export function noteUnusedFootnotes({ definitions, references }: Footnotes, losses: FoundLosses): void {
  const shown = new Set<string>();
  const open = [...(references.get(null) ?? [])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (shown.has(name)) continue;
    shown.add(name);
    open.push(...(references.get(name) ?? []));
  }
  for (const [index, name] of definitions.entries()) {
    if (!shown.has(name))
      losses.add('value-left-out', `the footnote [^${name}] is not shown, because no text refers to it`);
    else if (definitions.indexOf(name) < index)
      losses.add('value-left-out', `a second footnote [^${name}] is not shown`);
  }
}

/** The number of cells up to the last one with content. A superfluous bar at the end of a row is no cell. */
function lengthOf(cells: Cells): number {
  return cells.findLastIndex(cell => cell.children.length > 0) + 1;
}
