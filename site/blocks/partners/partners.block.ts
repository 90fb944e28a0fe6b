import { block, component } from '../../../shared/content/descriptions.ts';
import { href, IN_ORDER, text, title } from '../../components.ts';

const partner = component('partner', {
  label: 'Partner',
  noun: 'a partner',
  needs: ['name'],
  fields: {
    name: { kind: 'text', label: 'Name' },
    logo: { kind: 'file', label: 'Logo' },
    href,
  },
});

export const partners = block('partners', {
  label: 'Block “Partners”',
  noun: 'a block of partners',
  fields: {
    title,
    text,
    items: { kind: 'list', component: partner, label: 'Items', hint: IN_ORDER },
  },
  needsOneOf: ['items'],
});
