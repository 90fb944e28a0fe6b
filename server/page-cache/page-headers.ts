import { DEVICE_HEADERS } from '../http/device-from-request.ts';

type HeaderField = readonly [name: string, value: string];

/** A visitor's browser asks again each time, with the ETag. */
export const BROWSER_CACHING = 'public, max-age=0, must-revalidate';
/** A page that does not exist is remembered here for a moment, and by nobody else: it may exist soon. */
export const MISSING_HEADERS: readonly HeaderField[] = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept-Encoding'],
];

// One text for all pages, as below: of ten thousand stored ones each would have its own otherwise.
const VARY = 'Accept-Encoding';
const VARY_ON_DEVICE = [VARY, ...DEVICE_HEADERS].join(', ');
const cdnTexts = new Map<string, string>();

function cdnCaching(ttlMs: number, staleIfErrorMs: number): string {
  const seconds = (ms: number) => Math.floor(ms / 1_000);
  const text = `public, max-age=${seconds(ttlMs)}, stale-while-revalidate=${seconds(ttlMs * 10)}, stale-if-error=${seconds(staleIfErrorMs)}`;
  // A process has one configuration.
  const known = cdnTexts.get(text) ?? text;
  cdnTexts.set(text, known);
  return known;
}

/**
 * What caches outside are told of a page: how long it is good, by what it is purged, and on what it depends.
 * `CDN-Cache-Control` is RFC 9213; `Cache-Tag` and `Surrogate-Key` are what CDNs purge by.
 *
 * Whatever happens to an entry is told by its type too, so the types and what the page is about are enough.
 *
 * @param ttlMs how long a page is fresh here
 * @param staleIfErrorMs how long it may stand in for a failure
 */
export function cachingHeaders(
  tags: readonly string[],
  about: string | null,
  readsDevice: boolean,
  ttlMs: number,
  staleIfErrorMs: number,
): HeaderField[] {
  // In order: the reads of a page end in whichever order they end.
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
