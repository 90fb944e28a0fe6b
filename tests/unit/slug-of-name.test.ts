import { describe, expect, it } from 'vitest';
import { slugOfName, withSlugs } from '../../server/addresses/slug-of-name.ts';

describe('the address of a name', () => {
  it.for([
    ['Marta Lindqvist', 'marta-lindqvist'],
    ['Łukasz O’Neill-Müller', 'lukasz-oneill-muller'],
    ['Søren Åse Weiß', 'soren-ase-weiss'],
    ['  Dr. A. B. Çelik,  Jr. ', 'dr-a-b-celik-jr'],
    ['ليلى حداد', 'ليلى-حداد'],
    ['हिन्दी लेखक', 'हिन्दी-लेखक'],
    ['한 국', '한-국'],
    ['C', 'c'],
    ['C++', 'c-plus-plus'],
    ['C#', 'c-sharp'],
    ['Fees + taxes', 'fees-taxes'],
    ['#1', '1'],
    ['../..', null],
    ['!!!', null],
  ] as const)('slugOfName keeps only letters, digits and hyphens: %s', ([name, slug]) => {
    expect(slugOfName(name, 'en-GB')).toBe(slug);
  });

  it.for([
    ['Jörg Müller-Weiß', 'joerg-mueller-weiss'],
    ['Ärzte, O\u0308l & U\u0308bung', 'aerzte-oel-uebung'],
    ['Søren Åse', 'soren-ase'],
  ] as const)('slugOfName spells umlauts out in a German site: %s', ([name, slug]) => {
    expect(slugOfName(name, 'de-AT')).toBe(slug);
  });
});

describe('the addresses of a list', () => {
  const slugs = (...entries: [name: string, slug?: string][]) =>
    withSlugs(
      entries.map(([name, slug = null], index) => ({ id: `id-${index}`, name, slug: slug ?? null })),
      null,
    ).map(({ slug }) => slug);

  it('entries with the same name get numbered slugs, and the oldest keeps the plain slug', () => {
    expect(slugs(['Jan Kowalski'], ['Jan Kowalski'], ['JAN KOWALSKI'])).toEqual([
      'jan-kowalski',
      'jan-kowalski-2',
      'jan-kowalski-3',
    ]);
  });

  it('an editor’s slug takes precedence, even over an older entry with the same name', () => {
    expect(slugs(['Jan'], ['Somebody', 'jan'], ['Another', 'jan'])).toEqual(['jan-3', 'jan', 'jan-2']);
  });

  it('a name without letters falls back on the id', () => {
    expect(slugs(['!!!'])).toEqual(['id-0']);
  });
});
