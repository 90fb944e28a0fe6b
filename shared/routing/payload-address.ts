import { withoutTrailingSlashes } from './trailing-slashes.ts';

export const PAYLOAD_SUFFIX = '/_payload.json';

/** The header with the route on screen. As a query parameter it would split each page's cache entry. */
export const FROM_HEADER = 'Route-From';

/** @returns the address of a payload. `buildId` separates payloads of two builds in CDNs. */
export function payloadAddress(path: string, search: string, buildId: string): string {
  const query = new URLSearchParams(search);
  query.set('_b', buildId);
  return `${withoutTrailingSlashes(path)}${PAYLOAD_SUFFIX}?${query}`;
}
