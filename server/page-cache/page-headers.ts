import { DEVICE_HEADERS } from '../http/device-from-request.ts';

type HeaderField = readonly [name: string, value: string];

/** Makes browsers revalidate a page at each use, by its ETag. */
export const BROWSER_CACHING = 'public, max-age=0, must-revalidate';
/**
 * Caching headers of a 404, and of a route whose middleware reads `from`. This server stores a 404 for a moment. Other caches must not, because
 * the page may be published soon.
 */
export const NO_STORE_HEADERS: readonly HeaderField[] = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept-Encoding'],
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
 * The tags are the entry that the page is about and the types of all its content. Other entries in the page need no tags of their own:
 * a change of an entry also purges the tag of its type.
 *
 * @param ttlMs how long a page is fresh in this server
 * @param staleIfErrorMs how long a stale page may be served while the backend fails
 */
export function cachingHeaders(
  tags: readonly string[],
  about: string | null,
  readsDevice: boolean,
  ttlMs: number,
  staleIfErrorMs: number,
): HeaderField[] {
  // Sorted, because the reads of a page end in any order, and equal pages need equal headers.
  const types = [...new Set(tags.map(tag => tag.split(':', 1)[0] ?? tag))].sort();
  const named = about === null ? types : [about, ...types];
  return [
    ['Cache-Control', BROWSER_CACHING],
    ['CDN-Cache-Control', cdnCaching(ttlMs, staleIfErrorMs)],
    ['Vary', readsDevice ? VARY_ON_DEVICE : VARY],
    ['Cache-Tag', named.join(',')],
    ['Surrogate-Key', named.join(' ')],
  ];
}
