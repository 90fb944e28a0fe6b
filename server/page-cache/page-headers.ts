import { surrogateKey } from '../cache/surrogate-tags.ts';
import type { Config } from '../config.ts';
import { DEVICE_HEADERS } from '../http/device-from-request.ts';
import type { Fields } from '../http/ready-head.ts';
import type { SiteOrigin } from '../http/request-origin.ts';

type HeaderField = readonly [name: string, value: string];

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

/** The part of the configuration that the lifetimes of answers depend on. */
export type CachingConfig = Pick<Config, 'contentTtlMs' | 'staleIfErrorMs' | 'cdnPurge'>;

/** A stale page may be used meanwhile for this many times its time to live where the site purges the cache in front. */
const STALE_LIVES_WITH_PURGES = 10;
/** How long caches in front may keep an answer that is stale in this server, in seconds: the next one may be fresh. */
const STALE_ANSWER_S = 1;

const seconds = (ms: number) => Math.floor(ms / 1_000);

/**
 * Headers for browsers and caches in front: the lifetime of a page, the request headers it depends on, and the words by which caches in
 * front purge it (`surrogateKey`).
 *
 * Browsers revalidate a page at each use, by its ETag. Other caches keep it for its time to live: nginx and Varnish read `s-maxage`, Fastly
 * and Akamai `Surrogate-Control`, Cloudflare `CDN-Cache-Control` (RFC 9213). A stale page may be used
 * meanwhile for no longer than it was fresh, unless the site purges the cache: otherwise nothing tells it of a change.
 *
 * A page without an origin is the same for every host, also for made-up ones, so caches in front must not keep it for any.
 *
 * @param config how long a page is fresh in this server, and how long a stale page may be served while the backend fails.
 */
export function cachingHeaders(
  origin: SiteOrigin,
  tags: readonly string[],
  about: string | null,
  readsDevice: boolean,
  { contentTtlMs, staleIfErrorMs, cdnPurge }: CachingConfig,
): HeaderField[] {
  const vary: HeaderField = ['Vary', readsDevice ? VARY_ON_DEVICE : VARY];
  if (origin === null) return [['Cache-Control', 'private, max-age=0, must-revalidate'], vary];
  const ttl = seconds(contentTtlMs);
  const staleS = cdnPurge === null ? ttl : ttl * STALE_LIVES_WITH_PURGES;
  const lifetime = `max-age=${ttl}, stale-while-revalidate=${staleS}, stale-if-error=${seconds(staleIfErrorMs)}`;
  return [
    ['Cache-Control', `public, max-age=0, s-maxage=${ttl}`],
    vary,
    ['Surrogate-Control', lifetime],
    ['CDN-Cache-Control', `public, ${lifetime}`],
    ['Surrogate-Key', surrogateKey(tags, about)],
  ];
}

/** @returns the caching headers of an answer that is stale in this server: caches in front may keep it for a second. */
export function staleCaching(fields: Fields): Fields {
  return fields.map(([name, value]) => {
    const lifetime = name === 'Cache-Control' ? 's-maxage' : LIFETIMES.has(name) ? 'max-age' : null;
    return [name, lifetime === null ? value : shortened(value, lifetime)];
  });
}

/**
 * @param endsAt when the content of the answer changes without an event, in ms since the epoch; null if it never does.
 * @returns the caching headers of an answer that must not outlive that moment in caches in front. This server may send it for a time to live, and
 *   they keep it for another one, so twice that time before the moment they may keep it for a second alone.
 */
export function cachingUntil(
  endsAt: number | null,
  fields: Fields,
  { contentTtlMs }: Pick<CachingConfig, 'contentTtlMs'>,
): Fields {
  return endsAt !== null && endsAt - Date.now() < 2 * contentTtlMs ? staleCaching(fields) : fields;
}

function shortened(value: string, lifetime: string): string {
  const directives = value.split(', ').map(directive => {
    const [name, ttl] = directive.split('=');
    return name === lifetime ? `${name}=${Math.min(Number(ttl), STALE_ANSWER_S)}` : directive;
  });
  return directives.join(', ');
}

/** @returns the caching headers of an answer that no cache may keep. */
export function withoutCaching(fields: Fields): Fields {
  return fields
    .filter(([name]) => !LIFETIMES.has(name) && name !== 'Surrogate-Key')
    .map(([name, value]) => [name, name === 'Cache-Control' ? 'no-store' : value]);
}

/** Headers with the lifetime of an answer in caches in front. */
const LIFETIMES: ReadonlySet<string> = new Set(['Surrogate-Control', 'CDN-Cache-Control']);
