import { block } from '../../../shared/content/descriptions.ts';
import { text, title } from '../../components.ts';

export const table = block('table', {
  label: 'Block “Table”',
  noun: 'a block with a table',
  fields: {
    title,
    text,
    rows: {
      kind: 'text',
      label: 'Rows',
      hint: 'One row in each line, its cells divided by | or a tab: cells of a spreadsheet can be pasted. The first row has the headings',
      long: true,
    },
  },
  needsOneOf: ['rows'],
});
