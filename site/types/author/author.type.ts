import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { name, previousSlugs, shownDates } from '../fields.ts';

export const author = {
  path: 'authors',
  storage: 'collection',
  file: 'authors/',
  label: 'Author',
  noun: 'an author',
  populatesAll: true,
  route: 'blog-author',
  list: ['name', 'position', 'image'],
  form: [['name', 'position'], ['description'], ['image'], ['hours'], ['slug']],
  fields: {
    name,
    slug: {
      kind: 'slug',
      label: 'Address',
      hint: 'The last part of /blog/authors/… Made from the name if empty',
    },
    previousSlugs,
    description: { kind: 'text', label: 'About the author', long: true },
    position: { kind: 'text', label: 'Position', hint: 'Such as “Head of payouts”' },
    hours: {
      kind: 'text',
      label: 'Hours',
      hint: 'When this person answers, such as Monday to Friday, 08:00–18:00 UTC',
    },
    image: { kind: 'picture', label: 'Picture', many: true, placeWidth: 320 },
    ...shownDates,
  },
} as const satisfies TypeDescription;
