import { EVERYTHING } from './invalidation-log.ts';
import { isType, namesAbove, parseTag } from './tags.ts';

/* Turns tags into surrogate keys that every CDN accepts: `articles:42.card` becomes `articles-42.card`. */

/** Limit for a list of keys. nginx accepts 4 KB of headers: three lists, and 1.7 KB for the rest. */
const MAX_TAG_BYTES = 720;
/** The longest id in a part's key. Strapi 5's ids of 24 characters are too long for three lists in 4 KB. */
const MAX_ID_LENGTH = 8;
/** The longest key that all CDNs accept. The type replaces a longer name. */
const MAX_KEY_LENGTH = 128;
/** Limit for media files in a list. A landing page with sixty pictures would need 1.8 kB. */
const MAX_FILE_NAMES = 24;
const FILE = 'file';
/** The surrogate key of every response. Purging it purges the whole site. */
export const WHOLE_SITE = 'site';

/**
 * @returns the surrogate keys of a response, at most 720 bytes. If they need more, a type's key replaces the
 *   names of its entries and lists. Purges also name the type, so they reach the response.
 */
export function surrogateKey(tags: readonly string[], about: string | null): string {
  const first = about === null ? [] : [shortName(about)];
  const all = new Set(tags.map(tag => parseTag(tag).name));
  // Leave out a name if one above it is in the list: purges of a part also purge the names above.
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
 * @returns the keys to purge. Purging a type purges the whole site.
 * @param names without versions; `*` means all.
 * @param below returns the names below a name that responses may have.
 */
export function purgedKeys(
  names: readonly string[],
  below: (name: string) => readonly string[] = () => [],
): ReadonlySet<string> {
  if (names.some(isType)) return new Set([WHOLE_SITE]);
  return ownKeys(names.flatMap(name => [name, ...namesAbove(name), ...below(name)]));
}

export function ownKeys(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(name => (name === EVERYTHING ? WHOLE_SITE : keyOf(shortName(name)))));
}

/** Converts a name into a key. An entry's key has the whole id, because operators purge by it. */
function keyOf(name: string): string {
  const isEntry = /^[\w-]+:[^.]+$/.test(name);
  const short = isEntry ? name : name.replace(/[a-z0-9]{20,}/g, id => id.slice(0, MAX_ID_LENGTH));
  return short.replace(/[:=@()*!']/g, '-');
}

/** The header names for Fastly and Varnish, for Cloudflare and Google, and for Akamai. */
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
