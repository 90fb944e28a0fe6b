import { createPageIds } from '../server/loading/page-ids.ts';
import type { LandingConfig } from '../shared/content/landing.ts';
import type { WorldMap } from '../shared/content/world-map.ts';
import { completeCountries } from './blocks/countries/countries.load.server.ts';
import { completeFaq } from './blocks/faq/faq.load.server.ts';
import { completeHeader } from './blocks/header/header.load.server.ts';
import { completePayments } from './blocks/payments/payments.load.server.ts';

const completions = {
  header: completeHeader,
  countries: completeCountries,
  payments: completePayments,
  faq: completeFaq,
};

/** Countries of the map in the first block. */
const COUNTRIES = ['germany', 'brazil', 'kenya', 'japan', 'canada'].map(name => ({
  ...{ id: name, name, title: name, link: null, image: null },
}));

/** @returns the values of a block as its component needs them. */
export function completedSample(name: string, values: object, worldMap: WorldMap): object {
  const h1 = 'title' in values ? values.title : '';
  const landing: Partial<LandingConfig> = { countries_list: COUNTRIES };
  const all: Readonly<Record<string, unknown>> = completions;
  // The cast is safe: the completion has the block's name, so it accepts the block's values.
  const complete = all[name] as ((values: object, context: object) => object) | undefined;
  return complete?.(values, { h1, landing, worldMap, ids: createPageIds() }) ?? values;
}
