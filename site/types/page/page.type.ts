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
  form: [...pageForm, ['contactForm', 'withoutOffer'], ['cta']],
  fields: {
    ...sitePage,
    contactForm: { kind: 'flag', label: 'Show the contact form below the text' },
    withoutOffer: { kind: 'flag', label: 'Show no offer', hint: 'For legal pages, such as terms' },
    updatedAt,
    seoImage,
  },
} as const satisfies TypeDescription;
