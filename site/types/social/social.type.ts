import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { icon } from '../../components.ts';
import { order, shownDates } from '../fields.ts';

export const social = {
  path: 'socials',
  storage: 'collection',
  file: 'socials.json',
  label: 'Social network icon',
  noun: 'a social',
  populatesAll: true,
  onEveryPage: true,
  fields: {
    link: { kind: 'address', label: 'Address of the profile', required: true },
    icon,
    order,
    ...shownDates,
  },
} as const satisfies TypeDescription;
