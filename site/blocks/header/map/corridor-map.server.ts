import type { EntityOf } from '../../../../shared/content/content-types.ts';
import { countryKey, type WorldMap } from '../../../../shared/content/world-map.ts';
import type { CorridorMapData } from '../header-data.ts';

export type Place = readonly [x: number, y: number];

/** The height of an arc's control point, as a part of the straight line's length. */
const RISE = 0.3;

/**
 * Connects each country of the first half of the list with one of the second half, so that forty countries
 * stay readable. Skips unknown countries.
 */
export function drawCorridors(map: WorldMap, countries: readonly EntityOf<'country'>[]): CorridorMapData {
  const places = placesOf(map, countries);
  const half = Math.floor(places.length / 2);
  const corridors = places.slice(0, half > 0 ? places.length - half : 0).flatMap((from, index) => {
    const to = places[index + half];
    return to ? [arc(from, to)] : [];
  });
  const { width, height, spacing, dots } = map;
  return {
    width,
    height,
    spacing,
    dots,
    corridors,
    places: places.map(([x, y]) => `M${x} ${y}h0`).join(''),
    placeCount: places.length,
  };
}

function placesOf(map: WorldMap, countries: readonly EntityOf<'country'>[]): Place[] {
  const found = countries.flatMap(({ name, title }) => {
    const place = placeOf(map, name) ?? placeOf(map, title);
    return place ? [[place.join(' '), place] as const] : [];
  });
  return [...new Map(found).values()];
}

export function placeOf({ countries }: WorldMap, name: string | null): Place | undefined {
  const key = countryKey(name ?? '');
  return Object.hasOwn(countries, key) ? countries[key] : undefined;
}

/** @returns a curve that bends north, like great circles of the northern hemisphere. */
export function arc([x1, y1]: Place, [x2, y2]: Place): string {
  const rise = Math.hypot(x2 - x1, y2 - y1) * RISE;
  const middle = [(x1 + x2) / 2, (y1 + y2) / 2 - rise].map(Math.round);
  return `M${x1} ${y1}Q${middle.join(' ')} ${x2} ${y2}`;
}
