import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { listedForm, listedPage } from '../fields.ts';

export const commerce = {
  path: 'commerces',
  storage: 'collection',
  file: 'commerce/',
  label: 'Commerce page',
  noun: 'a page',
  drafts: true,
  isPage: true,
  route: 'commerce',
  list: ['title', 'slug', 'order', 'updatedAt'],
  form: listedForm,
  fields: listedPage,
} as const satisfies TypeDescription;
