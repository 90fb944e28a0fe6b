import type { Answer } from './send-request.ts';

/** `Cache-Status` of an answer that was rendered and then stored. */
export const STORED_MISS = 'site; fwd=miss; stored';
/** `Cache-Status` of an answer that the cache does not store. */
export const BYPASS = 'site; fwd=bypass';
/** `Cache-Status` of a stored page, fresh or stale. */
export const HIT = /^site; hit; ttl=-?\d+$/;
/** `Cache-Status` of a stored page within its TTL. */
export const FRESH_HIT = /^site; hit; ttl=\d+$/;
/** `Cache-Status` of a stored page past its TTL. */
export const STALE_HIT = /^site; hit; ttl=-\d+$/;

/** @returns the `Cache-Status` header of an answer. */
export const cacheStatusOf = ({ headers }: Answer): string => String(headers['cache-status']);
