import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import {
  cta,
  description,
  h1,
  name,
  order,
  previousSlugs,
  questions,
  sections,
  seo,
  shownDates,
  slug,
  title,
} from '../fields.ts';

const categorySections = {
  ...sections,
  hint: 'Shown below the first page of the list, in this order. Drag to sort',
  optional: 'the pages of categories have no sections',
} as const;

export const category = {
  path: 'categories',
  storage: 'collection',
  file: 'categories/',
  label: 'Blog category',
  noun: 'a category',
  route: 'blog-category',
  list: ['name', 'slug', 'order'],
  form: [['name', 'slug'], ['description'], ['order'], ['cta']],
  fields: {
    name,
    description,
    title,
    h1,
    slug: { ...slug, hint: 'The last part of /blog/… Made from the name if empty' },
    sections: categorySections,
    questions,
    cta: { ...cta, hint: 'Articles of the category end in it, in place of the offer of the settings' },
    seo,
    previousSlugs,
    order,
    ...shownDates,
  },
} as const satisfies TypeDescription;
