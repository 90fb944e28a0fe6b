import { block } from '../../../shared/content/descriptions.ts';
import { IN_ORDER, text, title, titledText } from '../../components.ts';

export const steps = block('steps', {
  label: 'Block “Steps”',
  noun: 'a block of steps',
  fields: {
    title,
    text,
    items: { kind: 'list', component: titledText, label: 'Steps', hint: IN_ORDER },
  },
  needsOneOf: ['items'],
});
