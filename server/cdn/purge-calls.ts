import type { CdnAddress } from '../config/server-addresses.ts';

interface PurgeCall {
  address: string;
  method: 'POST' | 'PURGE';
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** A CDN: one cache server, or a vendor's API for all its servers. */
export interface PurgeTarget {
  /** The name in the log and metrics: `varnish 10.0.0.1:6081`, `fastly`, `cloudflare`. */
  readonly name: string;
  readonly maxWords: number;
  /** `isHard` removes the cached responses; a soft purge makes them stale. */
  call(words: readonly string[], isHard: boolean): PurgeCall;
}

/** Limit for a Varnish header of 8 kB (`http_req_hdr_len`). A key has up to 128 bytes. */
const VARNISH_WORDS = 50;
/** Fastly: `POST /service/{id}/purge` takes 256 keys. */
const FASTLY_KEYS = 256;
/** Cloudflare: `POST /zones/{id}/purge_cache` takes 30 tags in every plan. */
const CLOUDFLARE_TAGS = 30;

const FASTLY_API = 'https://api.fastly.com';
const CLOUDFLARE_API = 'https://api.cloudflare.com';

/** `api` replaces the address of the vendor's API. */
export function purgeTargets(address: CdnAddress, token: string | null, api: string | null): PurgeTarget[] {
  switch (address.kind) {
    case 'varnish':
      return address.urls.map(url => varnish(url, token));
    case 'fastly':
      return [fastly(address.id, token ?? '', api ?? FASTLY_API)];
    case 'cloudflare':
      return [cloudflare(address.id, token ?? '', api ?? CLOUDFLARE_API)];
  }
}

function varnish(url: string, token: string | null): PurgeTarget {
  return {
    name: `varnish ${new URL(url).host}`,
    maxWords: VARNISH_WORDS,
    call: (words, isHard) => ({
      address: `${url}/`,
      method: 'PURGE',
      headers: {
        'Purge-Words': words.join(' '),
        'Purge-Mode': isHard ? 'hard' : 'soft',
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      },
    }),
  };
}

function fastly(id: string, token: string, api: string): PurgeTarget {
  return {
    name: 'fastly',
    maxWords: FASTLY_KEYS,
    call: (words, isHard) => ({
      address: `${api}/service/${id}/purge`,
      method: 'POST',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'Fastly-Key': token,
        ...(isHard ? {} : { 'Fastly-Soft-Purge': '1' }),
      },
      body: JSON.stringify({ surrogate_keys: words }),
    }),
  };
}

/** Purges are always hard, because Cloudflare has no soft purge. */
function cloudflare(id: string, token: string, api: string): PurgeTarget {
  return {
    name: 'cloudflare',
    maxWords: CLOUDFLARE_TAGS,
    call: words => ({
      address: `${api}/client/v4/zones/${id}/purge_cache`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ tags: words }),
    }),
  };
}
