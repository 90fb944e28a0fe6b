import type { CompleteBlock } from '../complete-block.server.ts';
import { drawCorridors } from './corridor-map.server.ts';

/** Adds the map, with the countries of the block `countries`. */
export const completeHeader: CompleteBlock<'header'> = (data, { h1, landing, worldMap }) => ({
  ...data,
  title: h1,
  map: drawCorridors(worldMap, landing.countries_list),
});
