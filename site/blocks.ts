import { callToAction } from './blocks/call-to-action/call-to-action.block.ts';
import { contacts } from './blocks/contacts/contacts.block.ts';
import { countries } from './blocks/countries/countries.block.ts';
import { directions } from './blocks/directions/directions.block.ts';
import { download } from './blocks/download/download.block.ts';
import { earnMore } from './blocks/earn-more/earn-more.block.ts';
import { faq } from './blocks/faq/faq.block.ts';
import { form } from './blocks/form/form.block.ts';
import { header } from './blocks/header/header.block.ts';
import { metrics } from './blocks/metrics/metrics.block.ts';
import { partners } from './blocks/partners/partners.block.ts';
import { payments } from './blocks/payments/payments.block.ts';
import { people } from './blocks/people/people.block.ts';
import { steps } from './blocks/steps/steps.block.ts';
import { subscribe } from './blocks/subscribe/subscribe.block.ts';
import { table } from './blocks/table/table.block.ts';
import { voices } from './blocks/voices/voices.block.ts';

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

/**
 * The blocks that `sections` may have. Three are missing: `header` is a heading, `countries` lists entries of
 * the landing page, and every page has the networks of `subscribe`.
 */
export const pageBlocks = [
  steps,
  table,
  people,
  voices,
  download,
  callToAction,
  payments,
  directions,
  partners,
  metrics,
  earnMore,
  contacts,
  form,
  faq,
] as const;
