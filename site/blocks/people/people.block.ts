import { block, component } from '../../../shared/content/descriptions.ts';
import { href, IN_ORDER, text, title } from '../../components.ts';

const person = component('person', {
  label: 'Person',
  noun: 'a person',
  needs: ['name'],
  fields: {
    name: { kind: 'text', label: 'Name' },
    position: { kind: 'text', label: 'Position' },
    text,
    picture: { kind: 'picture', label: 'Picture' },
    href,
  },
});

export const people = block('people', {
  label: 'Block “People”',
  noun: 'a block of people',
  fields: {
    title,
    text,
    items: { kind: 'list', component: person, label: 'People', hint: IN_ORDER },
  },
  needsOneOf: ['items'],
});
