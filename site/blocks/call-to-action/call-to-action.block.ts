import { block } from '../../../shared/content/descriptions.ts';
import { link, text, title } from '../../components.ts';

export const callToAction = block('callToAction', {
  label: 'Block “Call to action”',
  noun: 'a call to action',
  fields: {
    title,
    text,
    primary: { kind: 'object', component: link, label: 'First button' },
    secondary: { kind: 'object', component: link, label: 'Second button' },
  },
  needsOneOf: ['title', 'text'],
});
