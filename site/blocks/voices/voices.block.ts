import { block, component } from '../../../shared/content/descriptions.ts';
import { IN_ORDER, text, title } from '../../components.ts';

const voice = component('voice', {
  label: 'Voice of a customer',
  noun: 'a voice of a customer',
  needs: ['words', 'name'],
  fields: {
    words: { kind: 'text', label: 'Words', long: true },
    name: { kind: 'text', label: 'Name' },
    position: { kind: 'text', label: 'Position' },
    picture: { kind: 'picture', label: 'Portrait or logo' },
    figure: { kind: 'text', label: 'Figure', hint: 'What has changed, such as “40 hours are 3”' },
  },
});

export const voices = block('voices', {
  label: 'Block “Voices of customers”',
  noun: 'a block of voices',
  fields: {
    title,
    text,
    items: { kind: 'list', component: voice, label: 'Voices', hint: IN_ORDER },
  },
  needsOneOf: ['items'],
});
