import { withoutTrailingSlashes } from './trailing-slashes.ts';

/** The suffix of a payload's path, after the path of its page. */
export const PAYLOAD_SUFFIX = '/_payload.json';

/**
 * The header of a payload request that names the route on screen by its id. A header keeps the address the same for all visitors, so that
 * caches outside have one entry for each page.
 */
export const FROM_HEADER = 'Route-From';

/**
 * @param path the page's path
 * @param search its query with the question mark, or empty
 * @param buildId keeps the payloads of two builds apart in caches in front. A server of another build answers all the same, and no cache may keep that answer
 * @returns the address of a page's payload.
 */
export function payloadAddress(path: string, search: string, buildId: string): string {
  const query = new URLSearchParams(search);
  query.set('_b', buildId);
  return `${withoutTrailingSlashes(path)}${PAYLOAD_SUFFIX}?${query}`;
}
