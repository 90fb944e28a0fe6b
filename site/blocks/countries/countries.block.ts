import { block } from '../../../shared/content/descriptions.ts';

export const countries = block('countries', {
  label: 'Block “Countries”',
  noun: 'a block of countries',
  beside: {
    countries: {
      wire: 'countries_list',
      kind: 'relation',
      target: 'country',
      many: true,
      label: 'Block “Countries”',
      hint: 'In the order of the page: drag to sort',
    },
  },
  needsOneOf: ['countries'],
});
