import type { EntityOf } from '../../../../shared/content/content-types.ts';
import type { WorldMap } from '../../../../shared/content/world-map.ts';
import type { CorridorData, TicketMapData } from '../header-data.ts';
import { arc, type Place, placeOf } from '../map/corridor-map.server.ts';

/** The number of corridors besides those of the tickets. More names would overlap. */
const NAMED_CORRIDORS = 4;

/** Half a letter's width, and the height of a name above its place, in units of the map. */
const HALF_LETTER = 6;
const NAME_HEIGHT = 30;
/** The share of the map's height above the ticket. A name below this line would be hidden. */
const SHOWN_HEIGHT = 0.63;

/** Draws each ticket's corridor, an arc between two countries, and some others with the countries' names. */
export function drawTickets(
  map: WorldMap,
  tickets: readonly { readonly from: string | null; readonly to: string | null }[],
  countries: readonly EntityOf<'country'>[],
): TicketMapData {
  const { width, height, spacing, dots } = map;
  const own = tickets.map(({ from, to }) => between(placeOf(map, from), placeOf(map, to)));
  const ends = tickets
    .flatMap(({ from, to }) => [placeOf(map, from), placeOf(map, to)])
    .filter(end => end !== undefined);
  const placed = countries.flatMap(({ name, title }) => {
    const place = placeOf(map, name) ?? placeOf(map, title);
    const shown = title ?? name ?? '';
    if (!place || place[1] > height * SHOWN_HEIGHT) return [];
    return ends.some(end => isCovered(shown, place, end)) ? [] : [{ name: shown, place }];
  });
  const half = Math.floor(placed.length / 2);
  const step = Math.max(1, Math.floor(half / NAMED_CORRIDORS));
  const others = Array.from({ length: Math.min(NAMED_CORRIDORS, half) }, (_, index) =>
    [placed[index * step], placed[index * step + half]].flatMap(end => end ?? []),
  );
  return {
    ...{ width, height, spacing, dots },
    tickets: own,
    others: others.flatMap(([from, to]) => between(from?.place, to?.place)?.line ?? []),
    names: others.flat().map(({ name, place: [x, y] }) => ({ name, x, y })),
  };
}

/** Whether the end of a ticket's corridor covers a place, or the place's name, centred above the place. */
function isCovered(name: string, [x, y]: Place, [endX, endY]: Place): boolean {
  return Math.abs(endX - x) <= name.length * HALF_LETTER && endY <= y && endY > y - NAME_HEIGHT;
}

function between(from: Place | undefined, to: Place | undefined): CorridorData | null {
  return from && to
    ? { line: arc(from, to), ends: [from, to].map(([x, y]) => `M${x} ${y}h0`).join('') }
    : null;
}
