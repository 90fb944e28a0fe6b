import { EVERYTHING } from './invalidation-log.ts';
import { isType, namesAbove, parseTag } from './tags.ts';

/*
 * Writes tags as keys that every CDN accepts, so that all of them purge by the same keys.
 * `articles:42.card` is `articles-42.card`.
 */

/** Bytes. nginx accepts 4 KB of headers. Three headers have this list, and the others take 1.7 KB. */
const MAX_TAG_BYTES = 720;
/** Ids of Strapi 5 have 24 random characters. Three lists of whole ids would fill the 4 KB. */
const MAX_ID_LENGTH = 8;
/** All CDNs accept tags of this length. A longer name is replaced by its type. */
const MAX_KEY_LENGTH = 128;
/** The tags of a landing page's sixty pictures would be 1.8 kB. */
const MAX_FILE_NAMES = 24;
const FILE = 'file';
/** The surrogate key of every answer. Its purge concerns the whole site. */
export const WHOLE_SITE = 'site';

/**
 * @returns the surrogate keys of an answer, in 720 bytes at most. A type replaces its names if they need
 *   more. Purges name the type as well, so they reach the answer.
 */
export function surrogateKey(tags: readonly string[], about: string | null): string {
  const first = about === null ? [] : [shortName(about)];
  const all = new Set(tags.map(tag => parseTag(tag).name));
  // Changing a part changes the whole. So a name adds nothing when the name above it is in the list.
  let names = [...all]
    .filter(name => name !== about && !namesAbove(name).some(above => all.has(above)))
    .map(shortName)
    .sort();
  if (names.filter(name => typeOf(name) === FILE).length > MAX_FILE_NAMES) names = withTypeAlone(names, FILE);
  const joined = () => [...new Set([...first, ...names, WHOLE_SITE].map(keyOf))].join(' ');
  for (let keys = joined(); ; keys = joined()) {
    if (keys.length <= MAX_TAG_BYTES) return keys;
    const groups = Map.groupBy(names, typeOf);
    const length = (type: string) => (groups.get(type) ?? []).join(' ').length - type.length;
    const [longest] = [...groups.keys()]
      .filter(type => length(type) > 0)
      .sort((a, b) => Number(b === FILE) - Number(a === FILE) || length(b) - length(a));
    if (longest === undefined) names = [];
    else names = withTypeAlone(names, longest);
  }
}

/**
 * @param names without versions; `*` stands for all.
 * @param below the names below a name that headers may have. Purging a type purges the whole site.
 */
export function purgedKeys(
  names: readonly string[],
  below: (name: string) => readonly string[] = () => [],
): ReadonlySet<string> {
  if (names.some(isType)) return new Set([WHOLE_SITE]);
  return ownKeys(names.flatMap(name => [name, ...namesAbove(name), ...below(name)]));
}

/** @returns the keys of the names alone, without names above and below. */
export function ownKeys(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(name => (name === EVERYTHING ? WHOLE_SITE : keyOf(shortName(name)))));
}

/** An entry keeps its whole id, because operators purge by it. */
function keyOf(name: string): string {
  const isEntry = /^[\w-]+:[^.]+$/.test(name);
  const short = isEntry ? name : name.replace(/[a-z0-9]{20,}/g, id => id.slice(0, MAX_ID_LENGTH));
  return short.replace(/[:=@()*!']/g, '-');
}

/** The headers for Fastly and Varnish, for Cloudflare and Google, and for Akamai, in this order. */
export function surrogateFields(keys: string): [name: string, value: string][] {
  const list = keys.replaceAll(' ', ',');
  return [
    ['Surrogate-Key', keys],
    ['Cache-Tag', list],
    ['Edge-Cache-Tag', list],
  ];
}

function shortName(name: string): string {
  return name.length > MAX_KEY_LENGTH ? typeOf(name) : name;
}

function withTypeAlone(names: readonly string[], type: string): string[] {
  return [...new Set(names.map(name => (typeOf(name) === type ? type : name)))];
}

function typeOf(name: string): string {
  return /^[\w-]+/.exec(name)?.[0] ?? name;
}
