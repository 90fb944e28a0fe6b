import { block, component } from '../../../shared/content/descriptions.ts';
import { href, IN_ORDER, icon, text, title } from '../../components.ts';

const direction = component('direction', {
  label: 'Direction',
  noun: 'a direction',
  needs: ['title'],
  fields: { title, text, href, icon },
});

export const directions = block('directions', {
  label: 'Block “Directions”',
  noun: 'a block of directions',
  fields: {
    title,
    text,
    items: { kind: 'list', component: direction, label: 'Items', hint: IN_ORDER },
  },
  needsOneOf: ['title', 'items'],
});
