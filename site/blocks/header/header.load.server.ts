import { posterOf } from '../../../server/rich-text/nodes/film-posters.ts';
import type { Image } from '../../../shared/content/image.ts';
import { lackOfKind } from '../../../shared/content/landing.ts';
import type { CompleteBlock, HomeContext } from '../complete-block.server.ts';
import { header } from './header.block.ts';
import { drawCorridors } from './map/corridor-map.server.ts';
import { drawTickets } from './ticket/ticket-map.server.ts';

/**
 * Without a kind in the content, chooses the map if it has one of the countries, otherwise the plain kind. A
 * kind that lacks its content becomes plain, too.
 */
export const completeHeader: CompleteBlock<'header', HomeContext> = (data, { h1, landing, worldMap }) => {
  const asked = lackOfKind(header, { ...landing, ...data }) ? 'plain' : data.kind;
  const map = asked === null || asked === 'map' ? drawCorridors(worldMap, landing.countries_list) : null;
  const kind = map ? (map.placeCount ? 'map' : 'plain') : (asked ?? 'plain');
  const cover = kind === 'film' ? (data.picture ?? landing.seo.image) : null;
  return {
    ...data,
    title: h1,
    kind,
    map: kind === 'map' ? map : null,
    ticketMap: kind === 'ticket' ? drawTickets(worldMap, data.tickets, landing.countries_list) : null,
    poster: cover && { poster: posterOf(cover), ...sizeOf(cover) },
  };
};

function sizeOf({ width, height }: Image) {
  return width && height ? { width, height } : {};
}
