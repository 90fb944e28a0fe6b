import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { imageTest, PATIENT_MS, picture, rendition } from '../support/image-test.ts';

const SECRET = 'a-secret-of-the-backend';
const it = imageTest.extend('siteEnv', { scope: 'file' }, async ({ elsewhere }) => ({
  ...{ MEDIA_ORIGINS: elsewhere.url, CONTENT_TIMEOUT_MS: PATIENT_MS, WEBHOOK_SECRET: SECRET },
}));

const heightOf = async (body: Buffer) => (await sharp(body).metadata()).height;

describe('an event about a media file', () => {
  it('has its renditions made anew from the new file', async ({ site, serve, get }) => {
    const src = '/uploads/replaced.png';
    serve(src, await picture(640, 320));
    const before = await get(rendition(src, 320, 'webp'));
    expect(await heightOf(before.body)).toBe(160);
    serve(src, await picture(640, 640));
    // Without an event the stored picture is used.
    expect((await get(rendition(src, 320, 'webp'))).headers.etag).toBe(before.headers.etag);
    const event = { event: 'media.update', media: { url: src, formats: null } };
    expect((await sendWebhook(site.url, SECRET, event)).status).toBe(200);
    const after = await get(rendition(src, 320, 'webp'), { 'if-none-match': before.headers.etag ?? '' });
    expect([after.status, await heightOf(after.body)]).toEqual([200, 320]);
  });

  it.for([
    ['media.update', 200],
    ['media.delete', 503],
  ] as const)(
    'while the file cannot be fetched: after %s its renditions are a %i',
    async ([event, status], { backend, site, serve, get }) => {
      const src = `/uploads/${event}.png`;
      serve(src, await picture(640, 320));
      expect((await get(rendition(src, 320, 'webp'))).status).toBe(200);
      backend.on(src, failing(500));
      await sendWebhook(site.url, SECRET, { event, media: { url: src, formats: null } });
      expect((await get(rendition(src, 320, 'webp'))).status).toBe(status);
    },
  );

  it('leaves no renditions of a deleted file', async ({ backend, site, serve, get }) => {
    const src = '/uploads/deleted.png';
    serve(src, await picture(640, 320));
    expect((await get(rendition(src, 320, 'webp'))).status).toBe(200);
    backend.on(src, (_req, res) => void res.writeHead(404).end());
    await sendWebhook(site.url, SECRET, { event: 'media.delete', media: { url: src, formats: null } });
    await eventually(async () => expect((await get(rendition(src, 320, 'webp'))).status).toBe(404));
  });
});

describe('a file that the CMS does not have', () => {
  it('is asked for once, until an event says that it has come', async ({ backend, site, serve, get }) => {
    const src = '/uploads/late.png';
    backend.on(src, (_req, res) => void res.writeHead(404).end());
    for (let visitor = 0; visitor < 5; visitor += 1) expect((await get(src)).status).toBe(404);
    expect(backend.callsTo(src)).toHaveLength(1);
    serve(src, await picture(64, 64));
    const event = { event: 'media.create', media: { url: src, formats: null } };
    const answer = await sendWebhook(site.url, SECRET, event);
    // No page becomes stale: none shows the file yet.
    expect([answer.status, answer.json()]).toEqual([200, { purged: [] }]);
    expect((await get(src)).status).toBe(200);
  });
});
