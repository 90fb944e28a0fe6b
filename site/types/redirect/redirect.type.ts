import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { shownDates } from '../fields.ts';

export const redirect = {
  path: 'redirects',
  storage: 'collection',
  file: 'redirects.json',
  label: 'Redirect',
  noun: 'a redirect',
  // Every page reads this type, to check its address for a redirect first.
  onEveryPage: true,
  list: ['from', 'to', 'statusCode'],
  form: [
    ['from', 'to'],
    ['statusCode', 'replacesPage'],
  ],
  fields: {
    from: {
      kind: 'text',
      label: 'Old address',
      hint: 'Such as /old-page, or /old/** for all addresses below /old',
      strapi: { required: true, unique: true },
    },
    to: {
      kind: 'text',
      label: 'New address',
      hint: 'Such as /about or https://shop.example.com. Empty for 410',
    },
    statusCode: {
      kind: 'number',
      label: 'Status',
      hint: '307 and 302: for now. 308 and 301: for ever. 410: the page is gone',
      strapi: { default: 307, min: 301, max: 410 },
    },
    // Set by editors when a page has the old address, as the CMS requires. The site redirects in any case.
    replacesPage: {
      kind: 'flag',
      label: 'Although a page is there',
      hint: 'Nobody sees that page any more',
    },
    ...shownDates,
  },
} as const satisfies TypeDescription;
