import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { cacheStatusOf, FRESH_HIT } from './cache-status.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';
import { siteTest } from './site-test.ts';

const BROWSER = { ...AS_BROWSER, 'accept-encoding': 'gzip, deflate, br' };

export type Headers = Readonly<Record<string, string>>;

/** @returns the page of an answer, decompressed. */
export function decompressed({ headers, body }: Answer): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

/** @returns the headers of an answer without those of one moment or one request. */
export function storableHeaders({ headers }: Answer): Record<string, unknown> {
  const { date, age, 'cache-status': status, 'x-request-id': id, ...rest } = headers;
  return rest;
}

/** Gives each test file a site with PUBLIC_URL, and requests compressed pages from it. */
export const pageCacheTest = siteTest
  .extend(
    'siteEnv',
    { scope: 'file' },
    async (): Promise<Record<string, string>> => ({ PUBLIC_URL: 'https://www.example.com' }),
  )
  /** Requests a page from the sample site, or from another site. */
  .extend('get', async ({ sample }) => (path: string, headers: Headers = {}, base = sample.url) => {
    return sendRequest(base, path, { headers: { ...BROWSER, ...headers } });
  })
  .extend('head', async ({ sample }) => (path: string, headers: Headers = {}) => {
    return sendRequest(sample.url, path, { method: 'HEAD', headers: { ...BROWSER, ...headers } });
  })
  /** Requests a page until the answer is a fresh hit. */
  .extend('getStored', async ({ get }) => async (path: string): Promise<Answer> => {
    await get(path);
    const answer = await get(path);
    expect(cacheStatusOf(answer)).toMatch(FRESH_HIT);
    return answer;
  });
