import { describe, expect, it } from 'vitest';
import { siteLanguage } from '../../server/content/reading/site-language.ts';
import { CATALOGUE_NAMES, type CatalogueName } from '../../shared/labels/page-language.ts';

const words = (catalogue: CatalogueName, locale: string, replaced = {}) =>
  siteLanguage({ catalogue, locale, timeZone: 'Europe/Berlin', currency: 'EUR', replaced }).labels;

const PARTS = ['', '-forms', '-answers'];

/** @returns the texts of one part of a catalogue by name. Each plural form counts as a text. */
async function textsOf(name: CatalogueName, part: string): Promise<Map<string, string>> {
  const module = await import(`../../site/words/${name}${part}.ts`);
  return new Map(
    Object.entries<string | Record<string, string>>(module.default).flatMap(([label, text]) =>
      typeof text === 'string'
        ? [[label, text] as const]
        : Object.entries(text).map(([form, one]) => [`${label}.${form}`, one] as const),
    ),
  );
}

const blanksOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join(' ');

describe('the catalogues', () => {
  it.each(CATALOGUE_NAMES.flatMap(name => PARTS.map(part => [`${name}${part}`, name, part] as const)))(
    'the catalogue %s translates every label, with the same placeholders as the English text',
    async (_file, name, part) => {
      const [english, texts] = await Promise.all([textsOf('en', part), textsOf(name, part)]);
      const plain = (all: Map<string, string>) => [...all].filter(([label]) => !label.includes('.'));
      expect(plain(texts).map(([label, text]) => `${label} ${blanksOf(text)}`)).toEqual(
        plain(english).map(([label, text]) => `${label} ${blanksOf(text)}`),
      );
      for (const [label, text] of texts) {
        expect(text.trim(), label).not.toBe('');
        if (label.endsWith('.other')) expect(blanksOf(text), label).toBe('{count}');
      }
    },
  );

  it.each(['de', 'ar'] as const)('the catalogue %s has no untranslated sentence', async name => {
    const copied: string[] = [];
    for (const part of PARTS) {
      const [english, texts] = await Promise.all([textsOf('en', part), textsOf(name, part)]);
      for (const [label, text] of texts)
        if (text === english.get(label) && text.includes(' ')) copied.push(`${label}: ${text}`);
    }
    // A dash between two names is the same in both languages.
    expect(copied).toEqual(name === 'de' ? ['blogOf: {site} – Blog'] : []);
  });
});

describe('docs/words.md', () => {
  it('docs/words.md lists the English interface texts by name (vitest -u writes it)', async () => {
    const rows = (await Promise.all(PARTS.map(part => textsOf('en', part)))).flatMap(texts => [...texts]);
    const table = rows
      .map(([label, text]) => `| \`${label.replace('.', '_')}\` | ${text.replaceAll('|', '\\|')} |`)
      .sort();
    const intro =
      'The names of the words of the interface, for *Words of the interface* in the settings and for `labels` in `content/settings.json`. A text of your own keeps the words in braces. A word that depends on a number has a name for each form of the language (`_zero`, `_one`, `_two`, `_few`, `_many`, `_other`); its name without an ending stands for all of them. This page is made from `site/words`.';
    const page = ['# Words of the interface', '', intro, '', '| name | text |', '|---|---|', ...table, ''];
    await expect(page.join('\n')).toMatchFileSnapshot('../../docs/words.md');
  });
});

describe('labels', () => {
  it('labels fill in placeholders', () => {
    expect(words('en', 'en-GB').text('page', { page: 3 })).toBe('Page 3');
    expect(words('de', 'de-DE').text('notFound', { path: '/{page}' })).toBe('Seite nicht gefunden: /{page}');
  });

  it('labels choose the plural form by the rules of the language', () => {
    const { count } = words('ar', 'ar-EG');
    expect([1, 2, 3, 11, 100].map(number => count('countries', number))).toEqual([
      'دولة واحدة',
      'دولتان',
      '٣ دول',
      '١١ دولة',
      '١٠٠ دولة',
    ]);
    const english = words('en', 'en-GB');
    expect([1, 1_200].map(number => english.count('countries', number))).toEqual([
      '1 country',
      '1,200 countries',
    ]);
  });

  it('labels write dates in the site’s time zone, and amounts in its currency', () => {
    const german = words('de', 'de-DE');
    expect(german.date(Date.parse('2026-11-23T23:30:00Z'))).toBe('24. November 2026');
    expect([1_250_000, 99_999, 2.5].map(value => german.amount(value))).toEqual([
      '1,3\u00a0Mio.\u00a0€',
      '99.999\u00a0€',
      '2,50\u00a0€',
    ]);
    const egyptian = siteLanguage({
      catalogue: 'ar',
      locale: 'ar-EG',
      timeZone: 'UTC',
      currency: 'USD',
      replaced: {},
    });
    // Without the direction mark at the end, `US$` would be shown as `$US`.
    expect(egyptian.labels.amount(25)).toBe('\u200f٢٥\u00a0US$\u200e');
  });

  it('a text in the content replaces the catalogue’s text of the same name', () => {
    const replaced = { subscribe: 'Join {us}', countries_one: 'a place', countries: '{count} places' };
    const { text, count } = words('en', 'en-GB', replaced);
    expect(text('subscribe')).toBe('Join {us}');
    expect([count('countries', 1), count('countries', 7)]).toEqual(['a place', '7 places']);
    expect(text('menu')).toBe('Menu');
  });
});
