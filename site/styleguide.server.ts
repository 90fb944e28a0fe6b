import { createPageIds } from '../server/loading/page-ids.ts';
import type { LandingConfig } from '../shared/content/landing.ts';
import type { WorldMap } from '../shared/content/world-map.ts';
import { completed } from './blocks/completions.server.ts';
import { header } from './blocks/header/header.block.ts';
import { completeHeader } from './blocks/header/header.load.server.ts';

const COUNTRIES = ['germany', 'brazil', 'kenya', 'japan', 'canada'].map(name => ({
  ...{ id: name, name, title: name, link: null, image: null },
}));

export function completedSample(name: string, values: object, worldMap: WorldMap): object {
  const h1 = 'title' in values ? values.title : '';
  const landing: Partial<LandingConfig> = { countries_list: COUNTRIES };
  const context = { h1, landing, worldMap, ids: createPageIds() };
  // The cast is safe: the decoder has made the values by the block's description.
  const complete = completeHeader as (values: object, context: object) => object;
  return name === header.name ? complete(values, context) : completed(name, values, context);
}
