import { EVERYTHING } from './invalidation-log.ts';
import { isType, namesAbove, parseTag } from './tags.ts';

/*
 * The names of tags as caches in front have them. No name has a character that one of these caches refuses in a tag, so all of them purge
 * by the same words: `articles:42.card` is `articles-42.card`. Two names that become one word are purged together.
 */

/**
 * The longest list of tags in a header, in bytes. nginx and others accept 4 KB for all headers of an answer together. Three headers have the list, and
 * the others take up to 1.7 KB.
 */
const MAX_TAG_BYTES = 720;
/** Most characters of an id in the word of a part: the ids of Strapi 5 have 24 at random, and three lists of whole ones would fill the 4 KB. */
const MAX_ID_LENGTH = 8;
/** The longest word, in characters, that all caches accept as a tag. A longer name is replaced by its type alone. */
const MAX_WORD_LENGTH = 128;
/** Beyond this many media files a page names `file` alone: the tags of a landing page's sixty pictures would be 1.8 kB of its headers. */
const MAX_FILE_NAMES = 24;
/** The type of the tags of media files. */
const FILE = 'file';
/** The word that every answer of the site has. A purge by it concerns everything that a cache in front has of the site. */
export const WHOLE_SITE = 'site';

/**
 * @param tags the tags of an answer's content, with or without versions.
 * @param about the name of the entry that the answer is about, which comes first, or null.
 * @returns the words by which caches in front purge the answer, separated by spaces, in 720 bytes at most. The type alone stands for its
 *   names when there are too many: `file` for more than MAX_FILE_NAMES media files, then the types with the longest lists until all names
 *   fit. Purges name the type alone as well, so no answer is lost to them.
 */
export function surrogateKey(tags: readonly string[], about: string | null): string {
  const first = about === null ? [] : [shortName(about)];
  const all = new Set(tags.map(tag => parseTag(tag).name));
  // A change of a part is a change of the whole, so a name that is below another one says nothing more.
  let names = [...all]
    .filter(name => name !== about && !namesAbove(name).some(above => all.has(above)))
    .map(shortName)
    .sort();
  if (names.filter(name => typeOf(name) === FILE).length > MAX_FILE_NAMES) names = withTypeAlone(names, FILE);
  const joined = () => [...new Set([...first, ...names, WHOLE_SITE].map(wordOf))].join(' ');
  for (let words = joined(); ; words = joined()) {
    if (words.length <= MAX_TAG_BYTES) return words;
    const groups = Map.groupBy(names, typeOf);
    const length = (type: string) => (groups.get(type) ?? []).join(' ').length - type.length;
    const [longest] = [...groups.keys()]
      .filter(type => length(type) > 0)
      .sort((a, b) => Number(b === FILE) - Number(a === FILE) || length(b) - length(a));
    // Only the types themselves are left, which the word of the whole site stands for.
    if (longest === undefined) names = [];
    else names = withTypeAlone(names, longest);
  }
}

/**
 * @param names the names of purged tags, without versions; `*` stands for all tags.
 * @param below the names below a name that may be in the headers of answers. A type has too many of them, so the whole site is purged for it.
 * @returns the words of the answers that the purge concerns: those of the names, of the names above, which stand for them, and of the names below.
 */
export function purgedWords(
  names: readonly string[],
  below: (name: string) => readonly string[] = () => [],
): ReadonlySet<string> {
  if (names.some(isType)) return new Set([WHOLE_SITE]);
  return ownWords(names.flatMap(name => [name, ...namesAbove(name), ...below(name)]));
}

/** @returns the words of names alone, without those of the names above and below. */
export function ownWords(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(name => (name === EVERYTHING ? WHOLE_SITE : wordOf(shortName(name)))));
}

/** @returns a name as caches in front have it. The name of an entry keeps its whole id: operators purge by it. */
function wordOf(name: string): string {
  const isEntry = /^[\w-]+:[^.]+$/.test(name);
  const short = isEntry ? name : name.replace(/[a-z0-9]{20,}/g, id => id.slice(0, MAX_ID_LENGTH));
  return short.replace(/[:=@()*!']/g, '-');
}

/** @returns the header fields with the words of an answer: for Fastly and Varnish, for Cloudflare and Google, for Akamai. */
export function surrogateFields(words: string): [name: string, value: string][] {
  const list = words.replaceAll(' ', ',');
  return [
    ['Surrogate-Key', words],
    ['Cache-Tag', list],
    ['Edge-Cache-Tag', list],
  ];
}

function shortName(name: string): string {
  return name.length > MAX_WORD_LENGTH ? typeOf(name) : name;
}

function withTypeAlone(names: readonly string[], type: string): string[] {
  return [...new Set(names.map(name => (typeOf(name) === type ? type : name)))];
}

function typeOf(name: string): string {
  return /^[\w-]+/.exec(name)?.[0] ?? name;
}
