/** The dotted world map, drawn by the build. Lengths are in units of its view box. */
export interface WorldMap {
  readonly width: number;
  readonly height: number;
  readonly spacing: number;
  /** Path data with a line for each run of dots. Round dashes of zero length draw the dots. */
  readonly dots: string;
  readonly countries: Readonly<Record<string, readonly [x: number, y: number]>>;
}

/** @returns a country's key: 'Côte d’Ivoire', 'cote-d-ivoire' and 'Cote d Ivoire' have the same key. */
export function countryKey(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
}
