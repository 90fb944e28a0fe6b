import { safeSlug } from './safe-address.ts';

/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are parts of their words. */
const ACCENTS = /[\u0300-\u036f]/g;
const SIGNS = /(?<=[\p{L}\p{N}\p{M}+#])[+#]/gu;
const APOSTROPHES = /['’ʼ`´]/g;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u;

const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

/**
 * Makes a slug from a name: `Łukasz O’Neill` becomes `lukasz-oneill`, and `C++` becomes `c-plus-plus`.
 * In a German locale `Müller` becomes `mueller`, and otherwise `muller`.
 * @param locale the site's locale, if it is known.
 */
export function slugOfName(name: string, locale: string | null): string | null {
  const plain = (isGerman(locale) ? name.normalize('NFC').replace(/[äöüÄÖÜ]/g, u => GERMAN[u] ?? u) : name)
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(APOSTROPHES, '')
    .replace(SIGNS, sign => (sign === '+' ? ' plus ' : ' sharp '));
  return safeSlug(plainLetters(plain).split(BETWEEN_WORDS).filter(Boolean).join('-'));
}

function isGerman(locale: string | null): boolean {
  return locale !== null && new Intl.Locale(locale).language === 'de';
}

interface NamedEntry {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
}

/**
 * Makes a slug of the name or the id for entries without one. Repeated slugs get `-2`, `-3` and so on.
 * Entries with slugs come first, so that no generated slug takes one that an editor has set.
 * @param list the entries, oldest first. The oldest of several with the same name has no number.
 */
export function withSlugs<T extends NamedEntry>(
  list: readonly T[],
  locale: string | null,
): readonly (T & { slug: string })[] {
  const taken = new Set<string>();
  const claim = (wanted: string): string => {
    let slug = wanted;
    for (let number = 2; taken.has(slug); number += 1) slug = `${wanted}-${number}`;
    taken.add(slug);
    return slug;
  };
  const set = new Map(list.flatMap(({ id, slug }) => (slug === null ? [] : [[id, claim(slug)]])));
  return list.map(entry => ({
    ...entry,
    slug: set.get(entry.id) ?? claim(slugOfName(entry.name, locale) ?? entry.id),
  }));
}

/** ASCII forms of letters that Unicode normalisation does not split into an ASCII letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' },
};

export function plainLetters(text: string): string {
  return text.replace(/[ßæœøđðþłı]/g, letter => LETTERS[letter] ?? letter);
}
