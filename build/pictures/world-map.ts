import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { geoArea, geoCentroid, geoNaturalEarth1, geoPath } from 'd3-geo';
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { countryKey, type WorldMap } from '../../shared/content/world-map.ts';
import { projectRoot } from '../output-files.ts';
import { COUNTRY_ALIASES } from './country-aliases.ts';

type Country = Feature<Polygon | MultiPolygon, { name: string }>;

const WIDTH = 1000;
const SPACING = 8;
/** The distance between rows that gives each dot six almost equally near neighbours. */
const ROW_HEIGHT = Math.round(SPACING * Math.sqrt(0.75));
/** The map's edges in degrees; west and east count from `MIDDLE`. They omit the Pacific and the polar ice. */
const FRAME = { west: -157, east: 174, south: -56, north: 78 };
/** The middle meridian. With 11° east, the map's edge cuts no country except Antarctica. */
const MIDDLE = 11;

/** Draws the map from Natural Earth (public domain): dots on land, and a point for each country. */
export function drawWorldMap(): Promise<WorldMap> {
  drawn ??= draw();
  return drawn;
}

let drawn: Promise<WorldMap> | undefined;

async function draw(): Promise<WorldMap> {
  // Use the finer resolution, because the coarser one lacks Singapore, Malta and Hong Kong.
  const file = join(projectRoot, 'node_modules/world-atlas/countries-50m.json');
  const atlas: Topology<{ countries: GeometryCollection<{ name: string }> }> = JSON.parse(
    await readFile(file, 'utf8'),
  );
  const countries = feature(atlas, atlas.objects.countries).features as Country[];
  const inhabited = countries.filter(({ properties }) => properties.name !== 'Antarctica');

  const projection = geoNaturalEarth1().rotate([-MIDDLE, 0]).precision(0.1);
  const corner = (longitude: number, latitude: number) =>
    projection([longitude + MIDDLE, latitude]) as [number, number];
  const span = corner(FRAME.east, 0)[0] - corner(FRAME.west, 0)[0];
  projection.scale((projection.scale() * WIDTH) / span).translate([0, 0]);
  projection.translate([-corner(FRAME.west, 0)[0], -corner(0, FRAME.north)[1]]);
  const height = Math.ceil(corner(0, FRAME.south)[1]);

  const edges = inhabited.flatMap(country => edgesOf(geoPath(projection), country));
  return {
    width: WIDTH,
    height,
    spacing: SPACING,
    dots: rowsOfDots(edges, height),
    countries: Object.fromEntries(
      inhabited.flatMap(country => {
        const point = projection(geoCentroid(mainland(country)));
        if (!point) return [];
        const { name } = country.properties;
        // Move islands outside the frame to its edge.
        const x = Math.min(Math.max(point[0], SPACING), WIDTH - SPACING);
        const rounded = [Math.round(x), Math.round(point[1])] as const;
        return [name, ...(COUNTRY_ALIASES[name] ?? [])].map(alias => [countryKey(alias), rounded]);
      }),
    ),
  };
}

function mainland({ geometry }: Country): Polygon {
  const parts: Position[][][] = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const polygons = parts.map((coordinates): Polygon => ({ type: 'Polygon', coordinates }));
  return polygons.reduce((largest, part) => (geoArea(part) > geoArea(largest) ? part : largest));
}

type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

function edgesOf(path: ReturnType<typeof geoPath>, country: Country): Edge[] {
  const edges: Edge[] = [];
  for (const ring of (path.digits(2)(country) ?? '').split('M').slice(1)) {
    const points = ring
      .replace('Z', '')
      .split('L')
      .map(point => point.split(',').map(Number) as [number, number]);
    points.forEach(([x, y], index) => {
      const [nextX, nextY] = points[(index + 1) % points.length] as [number, number];
      edges.push([x, y, nextX, nextY]);
    });
  }
  return edges;
}

/** Writes dots as path data. Relative positions make it shorter, on every landing page. */
function rowsOfDots(edges: readonly Edge[], height: number): string {
  const runs: string[] = [];
  for (let y = Math.ceil(ROW_HEIGHT / 2), row = 0; y < height; y += ROW_HEIGHT, row += 1) {
    const isLand = dotAt(y, edges);
    let length = 0;
    let end: number | null = null;
    for (let x = row % 2 === 0 ? SPACING / 2 : SPACING; x <= WIDTH; x += SPACING) {
      if (isLand(x)) {
        length += 1;
        continue;
      }
      if (length === 0) continue;
      const start = x - length * SPACING;
      const way = (length - 1) * SPACING + 1;
      runs.push(`${end === null ? `M${start} ${y}` : `m${start - end} 0`}h${way}`);
      end = start + way;
      length = 0;
    }
  }
  return runs.join('');
}

/** Whether a dot is on land: by its centre, or by two of four points around it (else Japan has three). */
function dotAt(y: number, edges: readonly Edge[]): (x: number) => boolean {
  const reach = SPACING * 0.36;
  const [middle, above, below] = [y, y - reach, y + reach].map(row => landAt(row, edges)) as [Row, Row, Row];
  return x =>
    middle(x) || [above(x), below(x), middle(x - reach), middle(x + reach)].filter(Boolean).length >= 2;
}

type Row = (x: number) => boolean;

/** Decides by the even-odd rule: a border between countries occurs twice and cancels out. */
function landAt(y: number, edges: readonly Edge[]): Row {
  const crossings = edges
    .filter(([, y1, , y2]) => y1 > y !== y2 > y)
    .map(([x1, y1, x2, y2]) => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
  return x => crossings.filter(crossing => crossing < x).length % 2 === 1;
}
