import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { encodingsOf } from '../support/page-cache-stage.ts';
import { storedPageOf } from '../support/page-facts-of-site.ts';
import { sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';

const HIT = /^site; hit; ttl=\d+$/;
const MISS = 'site; fwd=miss; stored';
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };

const it = backendTest.extend('stage', async ({ startOwnSite }) => {
  const site = await startOwnSite();
  return {
    pages: site.site.pages,
    encodings: () => encodingsOf(storedPageOf(site, '/about')?.value),
    /** @param encoding the encoding that the visitor accepts, or identity */
    async ask(encoding: keyof typeof DECODE) {
      const accepted = encoding === 'identity' ? {} : { 'accept-encoding': encoding };
      const answer = await sendRequest(site.url, '/about', { headers: { accept: 'text/html', ...accepted } });
      expect(answer.headers['content-encoding'] ?? 'identity').toBe(encoding);
      return { cached: answer.headers['cache-status'], text: DECODE[encoding](answer.body).toString() };
    },
  };
});

it('a page is compressed once in each encoding that visitors accept', async ({
  stage: { ask, encodings, pages },
}) => {
  const miss = await ask('br');
  expect([miss.cached, encodings()]).toEqual([MISS, ['br']]);
  const other = await ask('gzip');
  expect([other.cached, encodings()]).toEqual([expect.stringMatching(HIT), ['br', 'gzip']]);
  const lookups = vi.spyOn(pages, 'loadPage');
  for (const encoding of ['br', 'gzip', 'identity'] as const)
    expect(await ask(encoding)).toEqual({ cached: expect.stringMatching(HIT), text: miss.text });
  expect(other.text).toBe(miss.text);
  expect(lookups, 'hits pass none of the steps of a miss').not.toHaveBeenCalled();
});

it('a visitor without compression does not wait for compression, and the page is compressed afterwards', async ({
  stage: { ask, encodings },
}) => {
  const miss = await ask('identity');
  expect(miss.cached).toBe(MISS);
  await eventually(() => expect(encodings()).toEqual(['br']));
  for (const encoding of ['br', 'identity', 'gzip'] as const)
    expect(await ask(encoding)).toEqual({ cached: expect.stringMatching(HIT), text: miss.text });
});
