import { surrogateKey } from '../cache/tags/surrogate-keys.ts';
import type { Config } from '../config/config.ts';
import type { ShownDates } from '../decode/shown-dates.ts';
import type { Fields } from '../http/ready-head.ts';
import { DEVICE_HEADERS } from '../http/request/device-from-request.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';

/** Headers for payloads of missing pages, routes whose middleware reads `from`, and redirects after forms. */
export const NO_STORE_HEADERS: Fields = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept-Encoding'],
];
/** Headers of a 404 or 410 page, where `Accept` decides between a page and JSON. */
export const NOT_FOUND_HEADERS: Fields = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept, Accept-Encoding'],
];

// A constant, so that all stored pages share one string.
const VARY = 'Accept-Encoding';
const VARY_ON_DEVICE = [VARY, ...DEVICE_HEADERS].join(', ');

type CachingConfig = Pick<Config, 'contentTtlMs' | 'staleIfErrorMs' | 'cdnPurge'>;

/** For how many TTLs a CDN may serve a stale page, if the site purges the CDN. */
const STALE_LIVES_WITH_PURGES = 10;
/** How long CDNs may store a response that is stale on the site, in seconds. */
const STALE_ANSWER_S = 1;

const seconds = (ms: number) => Math.floor(ms / 1_000);

/**
 * Headers for browsers, which revalidate at each use, and for CDNs. nginx and Varnish read `s-maxage`, Fastly
 * and Akamai `Surrogate-Control`, Cloudflare `CDN-Cache-Control` (RFC 9213). Without purges CDNs learn of no
 * change, so a page may be stale there as long as it was fresh. CDNs must not store a page without an origin,
 * because any made-up host name gets the same page.
 */
export function cachingHeaders(
  origin: SiteOrigin,
  tags: readonly string[],
  about: string | null,
  readsDevice: boolean,
  { contentTtlMs, staleIfErrorMs, cdnPurge }: CachingConfig,
): Fields {
  const vary = ['Vary', readsDevice ? VARY_ON_DEVICE : VARY] as const;
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

/** Shortens the TTL in CDNs of a response that is stale on the site. */
export function staleCaching(fields: Fields): Fields {
  return fields.map(([name, value]) => {
    const lifetime = name === 'Cache-Control' ? 's-maxage' : LIFETIMES.has(name) ? 'max-age' : null;
    return [name, lifetime === null ? value : shortened(value, lifetime)];
  });
}

/**
 * Ends the life in CDNs at the dates of the content. Site and CDN may each keep a response for one TTL. A
 * CDN may use no copy, not even a stale one, from `withdrawnAt` on.
 */
export function cachingUntil(
  { endsAt, withdrawnAt }: ShownDates,
  fields: Fields,
  { contentTtlMs }: Pick<CachingConfig, 'contentTtlMs'>,
): Fields {
  const endsSoon = endsAt !== null && endsAt - Date.now() < 2 * contentTtlMs;
  const shown = endsSoon ? staleCaching(fields) : fields;
  if (withdrawnAt === null) return shown;
  const leftS = Math.max(0, seconds(withdrawnAt - Date.now() - 2 * contentTtlMs));
  return shown.map(([name, value]) => [
    name,
    LIFETIMES.has(name) ? STALE_LIFETIMES.reduce((text, each) => shortened(text, each, leftS), value) : value,
  ]);
}

const STALE_LIFETIMES = ['stale-while-revalidate', 'stale-if-error'];

function shortened(value: string, lifetime: string, most = STALE_ANSWER_S): string {
  const directives = value.split(', ').map(directive => {
    const [name, ttl] = directive.split('=');
    return name === lifetime ? `${name}=${Math.min(Number(ttl), most)}` : directive;
  });
  return directives.join(', ');
}

export function withoutCaching(fields: Fields): Fields {
  return fields
    .filter(([name]) => !LIFETIMES.has(name) && name !== 'Surrogate-Key')
    .map(([name, value]) => [name, name === 'Cache-Control' ? 'no-store' : value]);
}

const LIFETIMES: ReadonlySet<string> = new Set(['Surrogate-Control', 'CDN-Cache-Control']);
