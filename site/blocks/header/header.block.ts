import { block } from '../../../shared/content/descriptions.ts';
import { link, text, title } from '../../components.ts';
import { headerKinds } from './kinds.ts';

export const header = block('header', {
  label: 'First block',
  noun: 'the first block',
  fields: {
    kind: {
      kind: 'choice',
      of: headerKinds,
      label: 'Kind',
      hint: 'Empty: a map of the world if it has a place of a country of this page, else plain',
    },
    eyebrow: { kind: 'text', label: 'Line above the title' },
    title,
    text,
    primary: { kind: 'object', component: link, label: 'First button' },
    secondary: { kind: 'object', component: link, label: 'Second button' },
  },
  beside: {
    icons: {
      wire: 'block1Icons',
      kind: 'labelled-files',
      label: 'First block: icons',
      hint: 'The caption of a file is the text beside its icon',
    },
  },
});
