import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { listedForm, listedPage } from '../fields.ts';

export const businessSolution = {
  path: 'business-solutions',
  storage: 'collection',
  file: 'business-solutions/',
  label: 'Business solution',
  noun: 'a page',
  drafts: true,
  isPage: true,
  route: 'business-solution',
  list: ['title', 'slug', 'order', 'updatedAt'],
  form: listedForm,
  fields: listedPage,
} as const satisfies TypeDescription;
