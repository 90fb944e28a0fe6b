import { describe, expect } from 'vitest';
import { cacheStatusOf, FRESH_HIT } from '../support/cache-status.ts';
import { entryEvent, sendWebhook, startEditableBackend } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { SECRET, SPAIN, TOKEN } from '../support/invalidation-test.ts';
import { payloadPath } from '../support/payload-path.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';

/** Gives each test a separate site without other visitors. */
const it = backendTest
  .extend('cms', async ({}, { onCleanup }) => {
    const cms = await startEditableBackend();
    onCleanup(() => cms.close());
    return cms;
  })
  .extend('site', async ({ cms, startOwnSite }) =>
    startOwnSite({
      contentBaseUrl: cms.url,
      env: { WEBHOOK_SECRET: SECRET, OPS_TOKEN: TOKEN, CONTENT_TTL_MS: '3600000' },
    }),
  )
  /** Requests a page with compression until it is stored. */
  .extend(
    'store',
    async ({ site }) =>
      (path: string) =>
        eventually(async () => {
          const answer = await sendRequest(site.url, path, {
            headers: { ...AS_BROWSER, 'accept-encoding': 'br' },
          });
          expect(cacheStatusOf(answer)).toMatch(FRESH_HIT);
        }),
  )
  /** Makes requests as a client without compression. */
  .extend('plain', async ({ site }) => {
    return (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
      sendRequest(site.url, path, { method, headers: { ...AS_BROWSER, ...headers } });
  })
  .extend('decoded', async ({ site }) => async () => {
    const { text } = await sendRequest(site.opsUrl, '/metrics');
    const read = (part: string) =>
      Number(new RegExp(`^site_cache_${part}\\{layer="decoded-pages"\\} (\\d+)$`, 'm').exec(text)?.[1]);
    return { bytes: read('bytes'), entries: read('entries') };
  });

describe('the uncompressed body of a stored page', () => {
  it.for([
    ['page', '/terms'],
    ['article', SPAIN],
    ['payload', payloadPath('/terms')],
  ] as const)(
    'the uncompressed body of a stored page is kept from the second request on: %s',
    async ([, path], { plain, store, decoded, site: { site } }) => {
      await store(path);
      const first = await plain(path);
      expect(first.headers['content-encoding']).toBeUndefined();
      expect(await decoded()).toEqual({ bytes: 0, entries: 0 });
      const second = await plain(path, { 'accept-encoding': 'identity' });
      const kept = { bytes: first.body.byteLength, entries: 1 };
      expect(await decoded()).toEqual(kept);
      const [page] = [...site.pages.entries()].filter(({ entry }) => entry.value.etag === first.headers.etag);
      // A body that had to be decompressed would be a promise.
      expect(page && site.pages.decoded.of(page.entry.value)).toEqual(first.body);
      for (const { body, headers } of [second, await plain(path)]) {
        expect(body).toEqual(first.body);
        expect(headers).toMatchObject({
          etag: first.headers.etag,
          'content-length': String(body.byteLength),
        });
      }
      const head = await plain(path, {}, 'HEAD');
      expect(head.headers['content-length']).toBe(String(first.body.byteLength));
      expect(head.body.byteLength).toBe(0);
      expect((await plain(path, { 'if-none-match': String(first.headers.etag) })).status).toBe(304);
      expect((await plain(path, { range: 'bytes=0-9' })).body).toEqual(first.body);
      expect(await decoded()).toEqual(kept);
    },
  );

  it('the uncompressed body of a page leaves memory with its page', async ({
    plain,
    store,
    decoded,
    cms,
    site,
  }) => {
    await store('/terms');
    for (let time = 0; time < 2; time += 1) await plain('/terms');
    expect((await decoded()).entries).toBe(1);
    const row = cms.row('page', 'terms');
    row.attributes.h1 = 'Decoded anew';
    await sendWebhook(site.url, SECRET, entryEvent('entry.update', 'page', row));
    await store('/terms');
    expect((await decoded()).entries).toBe(0);
    for (let time = 0; time < 2; time += 1) expect((await plain('/terms')).text).toContain('Decoded anew');
    expect((await decoded()).entries).toBe(1);
    await sendWebhook(site.url, SECRET, entryEvent('entry.delete', 'page', row));
    await eventually(async () => expect((await decoded()).entries).toBe(0));
  });
});
