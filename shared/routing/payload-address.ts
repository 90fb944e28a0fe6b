import { withoutTrailingSlashes } from './trailing-slashes.ts';

export const PAYLOAD_SUFFIX = '/_payload.json';

/** Names the route on screen. As a header it leaves caches one entry for each page. */
export const FROM_HEADER = 'Route-From';

/** The address of a page's payload. `buildId` keeps the payloads of two builds apart in CDNs. */
export function payloadAddress(path: string, search: string, buildId: string): string {
  const query = new URLSearchParams(search);
  query.set('_b', buildId);
  return `${withoutTrailingSlashes(path)}${PAYLOAD_SUFFIX}?${query}`;
}
