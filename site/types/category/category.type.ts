import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { description, h1, name, order, previousSlugs, questions, seo, slug, title } from '../fields.ts';

export const category = {
  path: 'categories',
  storage: 'collection',
  file: 'categories/',
  label: 'Blog category',
  noun: 'a category',
  route: 'blog-category',
  list: ['name', 'slug', 'order'],
  form: [['name', 'slug'], ['description'], ['order']],
  fields: { name, description, title, h1, slug, questions, seo, previousSlugs, order },
} as const satisfies TypeDescription;
