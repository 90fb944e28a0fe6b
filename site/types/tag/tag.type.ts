import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { description, NO_TAGS, name, previousSlugs, shownDates } from '../fields.ts';

export const tag = {
  path: 'tags',
  storage: 'collection',
  file: 'tags.json',
  label: 'Tag',
  noun: 'a tag',
  optional: NO_TAGS,
  route: 'blog-tag',
  list: ['name', 'slug'],
  form: [['name', 'slug'], ['description']],
  fields: {
    name,
    slug: {
      kind: 'slug',
      label: 'Address',
      hint: 'The last part of /blog/tags/… Made from the name if empty',
    },
    previousSlugs,
    description,
    ...shownDates,
  },
} as const satisfies TypeDescription;
