import type { CompleteBlock, HomeContext } from '../complete-block.server.ts';
import { drawCorridors } from './map/corridor-map.server.ts';
import { drawTickets } from './ticket/ticket-map.server.ts';

/**
 * Chooses a kind where the content names none, or tickets that it lacks: the map, if it has a place of the
 * block `countries`, else plain.
 */
export const completeHeader: CompleteBlock<'header', HomeContext> = (data, { h1, landing, worldMap }) => {
  const asked = data.kind === 'ticket' && data.tickets.length === 0 ? null : data.kind;
  const map = asked === null || asked === 'map' ? drawCorridors(worldMap, landing.countries_list) : null;
  const kind = asked ?? (map?.placeCount ? 'map' : 'plain');
  return {
    ...data,
    title: h1,
    kind,
    map: kind === 'map' ? map : null,
    ticketMap: kind === 'ticket' ? drawTickets(worldMap, data.tickets, landing.countries_list) : null,
  };
};
