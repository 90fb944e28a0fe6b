/** The dotted map of the world, drawn by the build: all lengths are in the units of its view box. */
export interface WorldMap {
  readonly width: number;
  readonly height: number;
  /** The distance between two dots of a row. */
  readonly spacing: number;
  /** Path data: a line for each run of dots, to be stroked with round dashes of no length. */
  readonly dots: string;
  /** Where a country is, by its key (`countryKey`). */
  readonly countries: Readonly<Record<string, readonly [x: number, y: number]>>;
}

/** @returns the form in which names of countries are compared: 'Côte d’Ivoire', 'cote-d-ivoire' and 'Cote d Ivoire' are the same. */
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
