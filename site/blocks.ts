import { contacts } from './blocks/contacts/contacts.block.ts';
import { countries } from './blocks/countries/countries.block.ts';
import { directions } from './blocks/directions/directions.block.ts';
import { earnMore } from './blocks/earn-more/earn-more.block.ts';
import { faq } from './blocks/faq/faq.block.ts';
import { header } from './blocks/header/header.block.ts';
import { metrics } from './blocks/metrics/metrics.block.ts';
import { partners } from './blocks/partners/partners.block.ts';
import { payments } from './blocks/payments/payments.block.ts';
import { subscribe } from './blocks/subscribe/subscribe.block.ts';

/** All blocks of the landing page, in the usual order. */
export const blocks = [
  header,
  countries,
  payments,
  directions,
  partners,
  metrics,
  earnMore,
  contacts,
  faq,
  subscribe,
] as const;
