import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { drawWorldMap } from '../../build/pictures/world-map.ts';
import type { EntityOf } from '../../shared/content/content-types.ts';
import { countryKey } from '../../shared/content/world-map.ts';
import { drawCorridors } from '../../site/blocks/header/map/corridor-map.server.ts';

const map = await drawWorldMap();

function countries(...names: string[]): EntityOf<'country'>[] {
  return names.map((title, index) => ({ id: String(index), name: null, title, link: null, image: null }));
}

const pointOf = (name: string) => map.countries[countryKey(name)];

it('the map knows countries by the names that editors use', () => {
  const same: string[][] = [
    ['United States', 'United States of America', 'USA', 'united-states'],
    ['United Kingdom', 'UK', 'Great Britain', 'the United Kingdom'],
    ['Türkiye', 'Turkey', 'turkiye'],
    ['Czechia', 'Czech Republic'],
    ['South Korea', 'Republic of Korea'],
    ['Vietnam', 'Viet Nam'],
    ['UAE', 'United Arab Emirates', 'united_arab_emirates'],
    ['Côte d’Ivoire', "Cote d'Ivoire", 'Ivory Coast'],
    ['Bosnia & Herzegovina', 'Bosnia and Herzegovina'],
  ];
  for (const names of same) {
    const points = names.map(pointOf);
    expect(points[0], names[0]).toBeDefined();
    expect(points, names.join()).toEqual(names.map(() => points[0]));
  }
  for (const small of ['Singapore', 'Malta', 'Hong Kong']) expect(pointOf(small), small).toBeDefined();
});

it('the map orders countries correctly from west to east and from north to south', () => {
  const [east, south] = [0, 1] as const;
  const order = (axis: 0 | 1, ...names: string[]) => {
    const values = names.map(name => pointOf(name)?.[axis] ?? Number.NaN);
    expect(values, names.join(' < ')).toEqual(values.toSorted((a, b) => a - b));
  };
  order(east, 'Mexico', 'United States', 'Brazil', 'Portugal', 'Germany', 'Turkey', 'India', 'Japan');
  order(south, 'Norway', 'Germany', 'Egypt', 'Kenya', 'South Africa');
  for (const [x, y] of Object.values(map.countries)) {
    expect(x > 0 && x < map.width && y > -20 && y < map.height + 40).toBe(true);
  }
});

it('the map has dots on land and none at sea, in less than 1,500 bytes', () => {
  expect(map.dots).toMatch(/^(?:[Mm]\d+ \d+h\d+)+$/);
  let [end, row] = [0, 0];
  const runs = Array.from(map.dots.matchAll(/([Mm])(\d+) (\d+)h(\d+)/g), ([, move, x, y, length]) => {
    const from = move === 'M' ? Number(x) : end + Number(x);
    row = move === 'M' ? Number(y) : row + Number(y);
    end = from + Number(length);
    return { from: from - 1, to: end + 1, y: row };
  });
  const hasDot = (x: number, y: number) =>
    runs.some(run => Math.abs(run.y - y) <= map.spacing / 2 && run.from <= x && x <= run.to);
  for (const name of ['Germany', 'Brazil', 'India', 'Australia', 'Canada', 'Nigeria']) {
    const [x, y] = pointOf(name) ?? [0, 0];
    expect(hasDot(x, y), name).toBe(true);
  }
  const [brazil, nigeria] = [pointOf('Brazil') ?? [0, 0], pointOf('Nigeria') ?? [0, 0]];
  expect(hasDot((brazil[0] + nigeria[0]) / 2, (brazil[1] + nigeria[1]) / 2), 'the Atlantic').toBe(false);
  expect(gzipSync(map.dots).length).toBeLessThan(1_500);
});

it('the map connects each known country at least once and leaves out unknown countries', () => {
  const known = ['Germany', 'Brazil', 'Kenya', 'Japan', 'Canada'];
  const drawn = drawCorridors(map, countries('Atlantis', ...known, '', 'Germany', 'constructor'));
  expect(drawn.placeCount).toBe(5);
  expect(drawn.corridors).toHaveLength(3);
  for (const name of known) {
    const [x, y] = pointOf(name) ?? [0, 0];
    expect(drawn.places).toContain(`M${x} ${y}h0`);
    const ends = drawn.corridors.filter(
      path => path.startsWith(`M${x} ${y}Q`) || path.endsWith(` ${x} ${y}`),
    );
    expect(ends.length, name).toBeGreaterThan(0);
  }
});

it('the map draws no corridor for one country and at most 20 for forty', () => {
  expect(drawCorridors(map, [])).toMatchObject({ placeCount: 0, places: '', corridors: [] });
  expect(drawCorridors(map, countries('Peru'))).toMatchObject({ placeCount: 1, corridors: [] });
  expect(drawCorridors(map, countries('Peru', 'Chile')).corridors).toHaveLength(1);
  const forty = drawCorridors(map, countries(...Object.keys(map.countries).slice(0, 40)));
  expect(forty.corridors.length).toBeLessThanOrEqual(20);
  expect(gzipSync(JSON.stringify(forty)).length).toBeLessThan(25_000);
});

it('the map finds a country by the backend’s key before it tries the title', () => {
  const named = { ...countries('Deutschland, Österreich')[0], name: 'germany' } as EntityOf<'country'>;
  expect(drawCorridors(map, [named]).placeCount).toBe(1);
});
