import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { contactForm, contactPerson, pageForm, seoImage, sitePage, updatedAt } from '../fields.ts';

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
  form: [...pageForm, ['contactForm', 'contactPerson'], ['cta'], ['withoutOffer']],
  fields: {
    ...sitePage,
    contactForm,
    contactPerson,
    withoutOffer: { kind: 'flag', label: 'Show no offer', hint: 'For legal pages, such as terms' },
    updatedAt,
    seoImage,
  },
} as const satisfies TypeDescription;
