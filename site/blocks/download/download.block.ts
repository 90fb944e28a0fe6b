import { block } from '../../../shared/content/descriptions.ts';
import { text, title } from '../../components.ts';

export const download = block('download', {
  label: 'Block “Download”',
  noun: 'a block of files',
  fields: {
    title,
    text,
    files: {
      kind: 'labelled-files',
      label: 'Files',
      hint: 'PDF files and pictures. The caption of a file is its name on the page',
    },
  },
  needsOneOf: ['files'],
});
