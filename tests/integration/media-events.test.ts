import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, onTestFinished } from 'vitest';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { imageTest, PATIENT_MS, picture, rendition } from '../support/image-test.ts';
import { sendRequest } from '../support/send-request.ts';

const SECRET = 'a-secret-of-the-backend';
const it = imageTest.extend('siteEnv', { scope: 'file' }, async ({ elsewhere }) => ({
  ...{ MEDIA_ORIGINS: elsewhere.url, CONTENT_TIMEOUT_MS: PATIENT_MS, WEBHOOK_SECRET: SECRET },
}));

/** @returns the stored media files and renditions. */
async function filesBelow(dir: string): Promise<string[]> {
  const folders = ['media', 'renditions'].map(name => readdir(path.join(dir, name)));
  return (await Promise.all(folders)).flat();
}

const heightOf = async (body: Buffer) => (await sharp(body).metadata()).height;

describe('an event about a media file', () => {
  it('after an event about a media file its renditions are made from the new file', async ({
    site,
    serve,
    get,
  }) => {
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
    ['media.delete', 404],
  ] as const)(
    'after the event %s, a file that cannot be fetched has the status %i, and so do its renditions',
    async ([event, status], { backend, site, serve, get }) => {
      const src = `/uploads/${event}.png`;
      serve(src, await picture(640, 320));
      expect((await get(rendition(src, 320, 'webp'))).status).toBe(200);
      backend.on(src, failing(500));
      await sendWebhook(site.url, SECRET, { event, media: { url: src, formats: null } });
      expect((await get(rendition(src, 320, 'webp'))).status).toBe(status);
      expect((await get(src)).status).toBe(status);
    },
  );

  it('an event about a file that cannot be fetched leaves the renditions of other files in place', async ({
    backend,
    site,
    serve,
    get,
  }) => {
    const [src, other] = ['/uploads/failing.png', '/uploads/beside.png'];
    const addresses = [src, other].flatMap(name => [
      rendition(name, 320, 'webp'),
      rendition(name, 640, 'webp'),
    ]);
    for (const name of [src, other]) serve(name, await picture(640, 320));
    const ask = () =>
      Promise.all(
        addresses.map(async address => {
          const { status, headers } = await get(address);
          return status === 200 ? headers.etag : status;
        }),
      );
    const [before, files] = [await ask(), await filesBelow(site.site.backendFolder.dir)];
    backend.on(src, failing(500));
    await sendWebhook(site.url, SECRET, { event: 'media.update', media: { url: src, formats: null } });
    expect(await ask()).toEqual(before);
    serve(src, 'no picture');
    await sendWebhook(site.url, SECRET, { event: 'media.update', media: { url: src, formats: null } });
    // The new file cannot be scaled, and no visitor gets the old picture instead.
    expect(await ask()).toEqual([415, 415, ...before.slice(2)]);
    expect(await filesBelow(site.site.backendFolder.dir)).toEqual(expect.arrayContaining(files));
  });

  it('an event about a media file replaces a file whose download began before it', async ({
    backend,
    site,
    serve,
    get,
  }) => {
    const src = '/uploads/begun.png';
    const old = await picture(64, 64);
    let isBegun = false;
    // The rest of the file never arrives.
    backend.on(src, (_req, res) => {
      isBegun = true;
      res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': String(old.byteLength) });
      res.write(old.subarray(0, 2_000));
    });
    const early = get(src);
    await eventually(() => expect(isBegun).toBe(true));
    const current = await picture(64, 32);
    serve(src, current);
    await sendWebhook(site.url, SECRET, { event: 'media.update', media: { url: src, formats: null } });
    expect([(await get(src)).body, (await early).body]).toEqual([current, current]);
  });
});

describe('a deleted file', () => {
  const deleted = (src: string) => ({ event: 'media.delete', media: { url: src, formats: null } });

  it('a deleted file and its renditions are a 404 at once, and are removed from disk', async ({
    site,
    serve,
    get,
  }) => {
    const src = '/uploads/deleted.png';
    serve(src, await picture(640, 320));
    const addresses = [src, rendition(src, 320, 'webp'), rendition(src, 640, 'avif')];
    for (const address of addresses) expect((await get(address)).status).toBe(200);
    const before = await filesBelow(site.site.backendFolder.dir);
    await sendWebhook(site.url, SECRET, deleted(src));
    // The CMS still serves the file.
    for (const address of addresses) expect((await get(address)).status).toBe(404);
    expect(before.length - (await filesBelow(site.site.backendFolder.dir)).length).toBe(3);
  });

  it('a deleted file stays a 404 after a restart while the CMS is down', async ({
    backend,
    serve,
    startOwnSite,
  }) => {
    const src = '/uploads/deleted-before.png';
    serve(src, await picture(640, 320));
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'media-events-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const first = await startOwnSite({ dataDir, env: { WEBHOOK_SECRET: SECRET } });
    expect((await sendRequest(first.url, src)).status).toBe(200);
    await sendWebhook(first.url, SECRET, deleted(src));
    await first.close();
    backend.on(src, failing(500));
    const next = await startOwnSite({ dataDir, env: { WEBHOOK_SECRET: SECRET } });
    for (const address of [src, rendition(src, 320, 'webp')])
      expect((await sendRequest(next.url, address)).status).toBe(404);
  });

  it('a deleted file does not return with a download that began before the event', async ({
    backend,
    site,
    get,
  }) => {
    const src = '/uploads/deleted-meanwhile.png';
    let isBegun = false;
    backend.on(src, (_req, res) => {
      if (isBegun) return res.writeHead(404).end();
      isBegun = true;
      return res.writeHead(200, { 'Content-Type': 'image/png' }).write(Buffer.from('\x89PNG\r\n'));
    });
    const early = get(src);
    await eventually(() => expect(isBegun).toBe(true));
    await sendWebhook(site.url, SECRET, deleted(src));
    expect([(await get(src)).status, (await early).status]).toEqual([404, 404]);
  });

  it('a deleted file is served again after an event about its return', async ({ site, serve, get }) => {
    const src = '/uploads/back.png';
    serve(src, await picture(64, 64));
    await sendWebhook(site.url, SECRET, deleted(src));
    expect((await get(src)).status).toBe(404);
    await sendWebhook(site.url, SECRET, { event: 'media.create', media: { url: src, formats: null } });
    expect((await get(src)).status).toBe(200);
  });
});

describe('a file that the CMS does not have', () => {
  it('a file that the CMS lacks is requested once, until an event about its arrival', async ({
    backend,
    site,
    serve,
    get,
  }) => {
    const src = '/uploads/late.png';
    backend.on(src, (_req, res) => void res.writeHead(404).end());
    for (let visitor = 0; visitor < 5; visitor += 1) expect((await get(src)).status).toBe(404);
    expect(backend.callsTo(src)).toHaveLength(1);
    serve(src, await picture(64, 64));
    const event = { event: 'media.create', media: { url: src, formats: null } };
    const answer = await sendWebhook(site.url, SECRET, event);
    // No page becomes stale, because none shows the file yet.
    expect([answer.status, answer.json()]).toEqual([200, { purged: [] }]);
    expect((await get(src)).status).toBe(200);
  });
});
