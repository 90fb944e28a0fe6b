import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { pageForm, seoImage, sitePage, updatedAt } from '../fields.ts';

export const page = {
  path: 'pages',
  storage: 'collection',
  file: 'pages/',
  label: 'Page',
  noun: 'a page',
  drafts: true,
  isPage: true,
  route: 'page',
  list: ['title', 'slug', 'updatedAt'],
  form: [...pageForm, ['contactForm']],
  fields: {
    ...sitePage,
    contactForm: { kind: 'flag', label: 'Show the contact form below the text' },
    updatedAt,
    seoImage,
  },
} as const satisfies TypeDescription;
