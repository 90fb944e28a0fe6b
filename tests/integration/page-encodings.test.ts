import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { storedPageOf } from '../support/page-facts-of-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

/** Longer than the test takes, in ms. */
const LONG_MS = 600_000;

describe('a page whose second encoding has to wait', () => {
  it.for([
    ['br', 'gzip'],
    ['gzip', 'br'],
  ] as const)(
    'is a hit in the encoding that it has, %s',
    async ([first, second], { backend, startOwnSite }) => {
      const site = await startOwnSite({ overrides: { maxEncodingWaitMs: LONG_MS } });
      const ask = (encoding: string) =>
        sendRequest(site.url, '/about', { headers: { ...AS_BROWSER, 'accept-encoding': encoding } });
      const encodings = () => storedPageOf(site, '/about')?.value.encodings;

      // A page in flight keeps the second encoding waiting.
      const held = heldAnswer({ data: [], meta: { pagination: { total: 0 } } });
      backend.on('/api/commerces', held.behaviour);
      const other = sendRequest(site.url, '/commerce/held', { headers: AS_BROWSER });
      await eventually(() => expect(held.waiting()).toBe(1));

      const miss = await ask(first);
      expect([miss.status, miss.headers['cache-status']]).toEqual([200, 'site; fwd=miss; stored']);
      const lookups = vi.spyOn(site.site.pages, 'loadPage');
      for (let round = 0; round < 3; round++) {
        const hit = await ask(first);
        expect(hit.headers['cache-status']).toMatch(/^site; hit; ttl=\d+$/);
        expect(hit.headers['content-encoding']).toBe(first);
        expect(hit.body.equals(miss.body)).toBe(true);
      }
      expect(encodings()?.[second], 'held back all the time').toBeNull();
      expect(lookups, 'a hit passes none of the steps of a miss').not.toHaveBeenCalled();

      held.release();
      expect((await other).status).toBe(404);
      await eventually(() => expect(encodings()?.[second]).not.toBeNull());
      const complete = await ask(second);
      expect(complete.headers['cache-status']).toMatch(/^site; hit; ttl=\d+$/);
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
      expect(unpack[second](complete.body)).toEqual(unpack[first](miss.body));
    },
  );

  it('is a hit for a visitor who accepts only the other encoding, too: it is compressed for that visitor', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ overrides: { maxEncodingWaitMs: LONG_MS } });
    const held = heldAnswer({ data: [], meta: { pagination: { total: 0 } } });
    backend.on('/api/commerces', held.behaviour);
    const other = sendRequest(site.url, '/commerce/held', { headers: AS_BROWSER });
    await eventually(() => expect(held.waiting()).toBe(1));
    for (const encoding of ['br', 'gzip', 'gzip']) {
      const headers = { ...AS_BROWSER, 'accept-encoding': encoding };
      const answer = await sendRequest(site.url, '/about', { headers });
      expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
    }
    expect(storedPageOf(site, '/about')?.value.encodings).toEqual({
      br: expect.any(Buffer),
      gzip: expect.any(Buffer),
    });
    held.release();
    await other;
  });
});
