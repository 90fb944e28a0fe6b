import { describe, expect, it } from 'vitest';
import { createPageIds } from '../../server/loading/page-ids.ts';
import { completeTable } from '../../site/blocks/table/table.load.server.ts';

function rowsOf(rows: string, title: string | null = null) {
  const { content } = completeTable({ rows, title, text: null }, { ids: createPageIds() });
  return content;
}

const CELLS = [
  [
    'table',
    { 'aria-label': 'Currency, Fee' },
    [
      [
        'thead',
        null,
        [
          [
            'tr',
            null,
            [
              ['th', { scope: 'col' }, ['Currency']],
              ['th', { scope: 'col', align: 'right' }, ['Fee']],
            ],
          ],
        ],
      ],
      [
        'tbody',
        null,
        [
          [
            'tr',
            null,
            [
              ['td', {}, ['Euro']],
              ['td', { align: 'right' }, ['0.35 €']],
            ],
          ],
        ],
      ],
    ],
  ],
];

describe('the rows of a table', () => {
  it.each([
    ['bars', 'Currency | Fee\nEuro | 0.35 €'],
    ['tabs of a spreadsheet', 'Currency\tFee\nEuro\t0.35 €'],
    ['Markdown', '| Currency | Fee |\n|---|---:|\n| Euro | 0.35 € |\n'],
  ])('rowsOf reads a table from %s', (_, rows) => {
    expect(rowsOf(rows)).toEqual(CELLS);
  });

  it('a short table row is filled with empty cells, and cells without a heading are left out', () => {
    const text = JSON.stringify(rowsOf('A | B\nc\nd | e | f'));
    expect(text).toContain('[["td",{},["c"]],["td",{},[""]]]');
    expect(text).not.toContain('"f"');
  });
});
