import { namesAbove, parseTag } from '../cache/tags.ts';
import type { Config } from '../config.ts';
import { DEVICE_HEADERS } from '../http/device-from-request.ts';
import type { SiteOrigin } from '../http/request-origin.ts';

/** The longest list of tags in a header, in bytes. Some servers accept 4 KB for all headers of an answer together. */
const MAX_TAG_BYTES = 1_024;
/** Beyond this many media files a page names `file` alone: the tags of a landing page's sixty pictures would be 1.8 kB of its headers. */
const MAX_FILE_NAMES = 24;
/** The type of the tags of media files. */
const FILE = 'file';

type HeaderField = readonly [name: string, value: string];

/**
 * @returns `Cache-Control` of a page, by which browsers revalidate the page at each use, by its ETag. A page without an origin is the same for
 *   every host, also for made-up ones, so caches in front must not keep it for any.
 */
export function browserCaching(origin: SiteOrigin): string {
  return origin === null ? 'private, max-age=0, must-revalidate' : 'public, max-age=0, must-revalidate';
}

/**
 * Caching headers of a 404, and of a route whose middleware reads `from`. This server stores a 404 for a moment. Other caches must not, because
 * the page may be published soon.
 */
export const NO_STORE_HEADERS: readonly HeaderField[] = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept-Encoding'],
];
/** Caching headers of the page of a 404 or 410: the client's `Accept` decides between a page and JSON. */
export const NOT_FOUND_HEADERS: readonly HeaderField[] = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept, Accept-Encoding'],
];

// All stored pages share these strings. Otherwise each of ten thousand pages would hold a copy of its own.
const VARY = 'Accept-Encoding';
const VARY_ON_DEVICE = [VARY, ...DEVICE_HEADERS].join(', ');
const cdnTexts = new Map<string, string>();

function cdnCaching(ttlMs: number, staleIfErrorMs: number): string {
  const seconds = (ms: number) => Math.floor(ms / 1_000);
  const text = `public, max-age=${seconds(ttlMs)}, stale-while-revalidate=${seconds(ttlMs * 10)}, stale-if-error=${seconds(staleIfErrorMs)}`;
  // The map holds one text, because a process has one configuration.
  const known = cdnTexts.get(text) ?? text;
  cdnTexts.set(text, known);
  return known;
}

/**
 * Headers for browsers and CDNs: the lifetime of a page (`CDN-Cache-Control` is RFC 9213), the request headers it depends on, and the tags
 * by which CDNs purge it (`Cache-Tag`, `Surrogate-Key`).
 *
 * The tags are those by which this server invalidates the page, the entry that the page is about first, without their versions. An event
 * answers with the names that a purge has to name. A list that would be longer than MAX_TAG_BYTES names types in place of entries.
 *
 * A page without an origin has no headers for CDNs, which must not keep it.
 *
 * @param config how long a page is fresh in this server, and how long a stale page may be served while the backend fails.
 */
export function cachingHeaders(
  origin: SiteOrigin,
  tags: readonly string[],
  about: string | null,
  readsDevice: boolean,
  config: Pick<Config, 'contentTtlMs' | 'staleIfErrorMs'>,
): HeaderField[] {
  const forBrowsers: HeaderField[] = [
    ['Cache-Control', browserCaching(origin)],
    ['Vary', readsDevice ? VARY_ON_DEVICE : VARY],
  ];
  if (origin === null) return forBrowsers;
  const named = boundedNames(tags, about);
  return [
    ...forBrowsers,
    ['CDN-Cache-Control', cdnCaching(config.contentTtlMs, config.staleIfErrorMs)],
    ['Cache-Tag', named.join(',')],
    ['Surrogate-Key', named.join(' ')],
  ];
}

/**
 * @returns the names of tags, each once, in a fixed order. The type alone stands for its names when there are too many: `file` for more than
 *   MAX_FILE_NAMES media files, then the types with the longest lists until all names fit.
 */
function boundedNames(tags: readonly string[], about: string | null): string[] {
  const first = about === null ? [] : [about];
  const all = new Set(tags.map(tag => parseTag(tag).name));
  // A change of a part is a change of the whole, so a name that is below another one says nothing more.
  let names = [...all]
    .filter(name => name !== about && !namesAbove(name).some(above => all.has(above)))
    .sort();
  if (names.filter(name => typeOf(name) === FILE).length > MAX_FILE_NAMES) names = withTypeAlone(names, FILE);
  while ([...first, ...names].join(' ').length > MAX_TAG_BYTES) {
    const groups = Map.groupBy(names, typeOf);
    const length = (type: string) => (groups.get(type) ?? []).join(' ').length - type.length;
    const [longest] = [...groups.keys()]
      .filter(type => length(type) > 0)
      .sort((a, b) => Number(b === FILE) - Number(a === FILE) || length(b) - length(a));
    if (longest === undefined) return first;
    names = withTypeAlone(names, longest);
  }
  return [...first, ...names];
}

function withTypeAlone(names: readonly string[], type: string): string[] {
  return [...new Set(names.map(name => (typeOf(name) === type ? type : name)))];
}

function typeOf(name: string): string {
  return /^[\w-]+/.exec(name)?.[0] ?? name;
}
