import type { TypeDescription } from '../../../shared/content/descriptions.ts';

export const country = {
  path: null,
  storage: 'collection',
  file: null,
  label: 'Country',
  noun: 'a country',
  plural: 'countries',
  fields: {
    name: { kind: 'text', label: 'Name in English', hint: 'The map finds the country by it' },
    title: {
      kind: 'text',
      label: 'Name as shown',
      hint: 'Only if it differs from the name in English',
      required: true,
      orElse: ['name'],
    },
    link: { kind: 'address', label: 'Address of the link' },
    image: { kind: 'file', label: 'Flag' },
  },
} as const satisfies TypeDescription;
