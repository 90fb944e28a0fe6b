import type { RichNode } from '../../../shared/content/rich-text.ts';
import type { CompleteBlock } from '../complete-block.server.ts';

/** A number with its signs, as in `12,5 %`, `€ 1,250.00` or `−3`. */
const NUMBER = /^[^\p{L}\d]{0,4}\d[\d.,' \u00a0\u202f]{0,20}[^\p{L}\d]{0,4}$/u;

export const completeTable: CompleteBlock<'table'> = ({ rows, title, text }) => {
  const [head = [], ...body] = (rows ?? '').split('\n').map(cellsOf).filter(isFilled);
  const isNumeric = head.map((_, column) =>
    body.every(cells => !cells[column] || NUMBER.test(cells[column])),
  );
  const row = (cells: readonly string[], tag: 'th' | 'td'): RichNode => [
    'tr',
    null,
    head.map((_, column) => [tag, attributesOf(tag, isNumeric[column] === true), [cells[column] ?? '']]),
  ];
  const parts: RichNode[] = [
    ['thead', null, [row(head, 'th')]],
    ['tbody', null, body.map(cells => row(cells, 'td'))],
  ];
  // Add the column heads: the section around this scrolling region is already named by the title alone.
  const label = [title, head.join(', ')].filter(Boolean).join(': ');
  return { title, text, content: [['table', { 'aria-label': label }, parts]] };
};

/** Divides a line at tabs, or else at bars. A line of Markdown may begin and end with a bar. */
function cellsOf(line: string): readonly string[] {
  const separator = line.includes('\t') ? '\t' : '|';
  const bare = separator === '|' ? line.trim().replace(/^\|/, '').replace(/\|$/, '') : line;
  return bare.split(separator).map(cell => cell.trim());
}

/** Whether a row has a cell with content. Markdown's line of hyphens below the headings has none. */
function isFilled(cells: readonly string[]): boolean {
  return cells.some(cell => cell !== '' && !/^:?-+:?$/.test(cell));
}

function attributesOf(tag: 'th' | 'td', isNumeric: boolean) {
  const align = isNumeric ? { align: 'right' } : {};
  return tag === 'th' ? { scope: 'col', ...align } : align;
}
