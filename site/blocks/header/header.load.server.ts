import type { CompleteBlock } from '../complete-block.server.ts';
import { drawCorridors } from './map/corridor-map.server.ts';

/** Chooses a kind where the content names none: the map, if it has a place of the block `countries`. */
export const completeHeader: CompleteBlock<'header'> = (data, { h1, landing, worldMap }) => {
  const map = data.kind === 'plain' ? null : drawCorridors(worldMap, landing.countries_list);
  const kind = data.kind ?? (map?.placeCount ? 'map' : 'plain');
  return { ...data, title: h1, kind, map: kind === 'map' ? map : null };
};
