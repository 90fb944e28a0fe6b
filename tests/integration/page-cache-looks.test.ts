import { expect, vi } from 'vitest';
import { cacheStatusOf, HIT } from '../support/cache-status.ts';
import { pageCacheTest } from '../support/page-cache-test.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const LOOKS = ['get', 'peek', 'loadPage'] as const;

/** The page cache looks at what it stores, to compress and to write it. That is no look into it. */
const OWN_WORK = /server\/page-cache\//;

/** @returns the looks into the page cache until an answer, and the answer's `Cache-Status`. */
async function looksFor({ site, url }: RunningSite, address: string) {
  const looks: string[] = [];
  for (const look of LOOKS) {
    const own = site.pages[look] as (key: string, isRead?: boolean) => never;
    vi.spyOn(site.pages, look).mockImplementation((key: string, isRead?: boolean) => {
      const caller = new Error().stack?.split('\n').find(line => line.includes('/server/')) ?? '';
      if (!OWN_WORK.test(caller)) looks.push(look);
      return own(key, isRead);
    });
  }
  const answer = await sendRequest(url, address, { headers: AS_BROWSER });
  vi.restoreAllMocks();
  return { looks, status: answer.status, cache: cacheStatusOf(answer) };
}

pageCacheTest.for([
  ['a page', '/about', 200],
  ['a page with a declared query', '/blog/guides?page=1', 200],
  ['a payload', payloadPath('/about'), 200],
  ['a page that does not exist', '/no-such-page', 404],
] as const)(
  '%s that is not stored costs three looks into the page cache, and a stored one costs one',
  async ([, address, status], { sample }) => {
    const miss = await looksFor(sample, address);
    // The listener looks into memory, the page on the disk, and `Cache-Status` says whether it was stored.
    expect(miss).toEqual({
      looks: ['get', 'loadPage', 'get'],
      status,
      cache: expect.not.stringMatching(HIT),
    });
    const hit = await looksFor(sample, address);
    expect(hit).toEqual({ looks: ['get'], status, cache: expect.stringMatching(HIT) });
  },
);
