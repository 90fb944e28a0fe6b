import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { UNWATCHED } from '../../server/cache/disk/disk-health.ts';
import { ImageRenditions } from '../../server/media/renditions/image-renditions.ts';
import { Scaler } from '../../server/media/scaling/scaler.ts';
import { createPictureScaler } from '../../server/media/scaling/scaling-queue.ts';
import { blankPng } from '../faults/hostile-media.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { imageTest as it, picture, rendition } from '../support/image-test.ts';
import { sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

describe('a rendition', () => {
  it.for([
    [640, 'avif', 'heif'],
    [320, 'webp', 'webp'],
  ] as const)(
    'a rendition %d px wide in %s is scaled once and stored',
    async ([width, format, decoded], { backend, photo, get, serve }) => {
      const src = `/uploads/made-${format}.png`;
      serve(src, photo);
      const answers = await Promise.all([1, 2, 3].map(() => get(rendition(src, width, format))));
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual(answers[0]?.body);
      }
      const [first] = answers;
      expect(first?.headers).toMatchObject({
        'content-type': `image/${format}`,
        'cache-control': 'public, max-age=86400, stale-while-revalidate=86400',
        'x-content-type-options': 'nosniff',
        etag: `"${createHash('sha256')
          .update(first?.body ?? '')
          .digest('base64url')}"`,
      });
      const head = await sharp(first?.body).metadata();
      expect([head.format, head.width, head.height]).toEqual([decoded, width, width / 2]);
      expect(backend.callsTo(src)).toHaveLength(1);

      const again = await get(rendition(src, width, format), { 'if-none-match': first?.headers.etag ?? '' });
      expect([again.status, again.body.length]).toEqual([304, 0]);
      const asked = await get(rendition(src, width, format), {}, 'HEAD');
      expect([asked.status, asked.headers['content-length'], asked.body.length]).toEqual([
        200,
        String(first?.body.length),
        0,
      ]);
    },
  );

  it('a rendition is never wider than its picture', async ({ get, serve }) => {
    serve('/uploads/small.png', await picture(200, 100));
    const answer = await get(rendition('/uploads/small.png', 1920, 'webp'));
    expect(await sharp(answer.body).metadata()).toMatchObject({ width: 200, height: 100 });
  });

  it('a rendition follows the rotation in the EXIF data', async ({ get, serve }) => {
    const turned = await sharp(await picture(800, 400, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    serve('/uploads/turned.jpg', turned, 'image/jpeg');
    const answer = await get(rendition('/uploads/turned.jpg', 320, 'webp'));
    expect(await sharp(answer.body).metadata()).toMatchObject({ width: 320, height: 640 });
  });

  it('all spellings of a rendition’s address share one file', async ({ backend, photo, get, serve }) => {
    serve('/uploads/a%20b.png', photo);
    expect((await get(rendition('/uploads/a%20b.png'))).status).toBe(200);
    expect((await get('/uploads/a%20b.png')).status).toBe(200);
    expect(backend.calls).toHaveLength(1);
  });

  it('extra slashes in a rendition’s address cause no further scaling', async ({
    backend,
    photo,
    get,
    serve,
  }) => {
    for (const path of ['/uploads/slashes.png', '/uploads//slashes.png', '/uploads///slashes.png'])
      serve(path, photo);
    for (const path of ['/uploads//slashes.png', '/uploads///slashes.png'])
      expect([path, (await get(rendition(path))).status]).toEqual([path, 403]);
    for (const path of ['/uploads/slashes.png', '/uploads//slashes.png', '/uploads///slashes.png'])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect(backend.calls.map(({ url }) => url)).toEqual(['/uploads/slashes.png']);
  });

  it('a rendition of an allowed origin is fetched without credentials, and redirects are not followed', async ({
    backend,
    get,
    elsewhere,
    nameMedia,
  }) => {
    await nameMedia(`${elsewhere.url}/photo.png?v=2`, `${elsewhere.url}/moved.png`);
    backend.reset();
    const answer = await get(rendition(`${elsewhere.url}/photo.png?v=2`));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/avif']);
    // The page has already measured both pictures.
    const asked = elsewhere.served.map(({ url, headers: { authorization, cookie } }) => [
      url,
      authorization,
      cookie,
    ]);
    expect(asked.sort()).toEqual([
      ['/moved.png', undefined, undefined],
      ['/photo.png?v=2', undefined, undefined],
    ]);
    expect((await get(rendition(`${elsewhere.url}/moved.png`))).status).toBe(503);
    expect(backend.calls).toEqual([]);
  });
});

describe('a stored rendition', () => {
  it('a stored rendition is served while the backend is down, even after a restart, and a new one is a 503', async ({
    backend,
    photo,
    serve,
  }) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
    const before = await startSite({ contentBaseUrl: backend.url, dataDir });
    serve('/uploads/kept.png', photo);
    const made = await sendRequest(before.url, rendition('/uploads/kept.png'));
    await before.close();
    // The stored original may be missing, too.
    await rm(path.join(before.site.backendFolder.dir, 'media'), { recursive: true });
    for (const address of ['/uploads/kept.png', '/uploads/never.png']) backend.on(address, failing(500));
    const after = await startSite({ contentBaseUrl: backend.url, dataDir });
    const kept = await sendRequest(after.url, rendition('/uploads/kept.png'));
    expect([kept.status, kept.body]).toEqual([200, made.body]);
    const never = await sendRequest(after.url, rendition('/uploads/never.png'));
    expect([never.status, never.headers['retry-after'], never.headers['cache-control']]).toEqual([
      503,
      '5',
      'no-store',
    ]);
    await after.close();
    await rm(dataDir, { recursive: true });
  });

  it('a stored rendition is replaced when its picture has changed', async ({ backend, photo, serve }) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
    const own = await startSite({ contentBaseUrl: backend.url, dataDir });
    serve('/uploads/changing.png', photo);
    const first = await sendRequest(own.url, rendition('/uploads/changing.png', 320, 'webp'));
    serve('/uploads/changing.png', await picture(900, 900));
    await rm(path.join(own.site.backendFolder.dir, 'media'), { recursive: true });
    const second = await sendRequest(own.url, rendition('/uploads/changing.png', 320, 'webp'));
    expect(await sharp(first.body).metadata()).toMatchObject({ height: 160 });
    expect(await sharp(second.body).metadata()).toMatchObject({ height: 320 });
    expect(
      (await readdir(path.join(own.site.backendFolder.dir, 'renditions'))).filter(
        name => !name.includes('.'),
      ),
    ).toHaveLength(1);
    await own.close();
    await rm(dataDir, { recursive: true });
  });
});

describe('a picture of an allowed origin', () => {
  it('a request for an allowed origin’s picture that no content names is redirected, and fetches nothing', async ({
    site,
    get,
    elsewhere,
    nameMedia,
  }) => {
    const named = `${elsewhere.url}/named.png?size=1`;
    await nameMedia(named);
    const stored = async () =>
      (await readdir(site.site.backendFolder.dir, { recursive: true })).filter(name =>
        /^(?:media|renditions)\b/.test(name),
      ).length;
    const [served, before] = [elsewhere.served.length, await stored()];
    for (let size = 2; size < 100; size += 1) {
      const src = `${elsewhere.url}/named.png?size=${size}`;
      const answer = await get(rendition(src));
      expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([
        ...[302, src, 'no-store'],
      ]);
    }
    expect([elsewhere.served.length, await stored()]).toEqual([served, before]);
    expect((await get(rendition(named))).status).toBe(200);
  });
});

describe('a rendition address that no page contains', () => {
  it.for<[name: string, address: string, status: number]>([
    ['another width', rendition('/uploads/x.png', 641), 404],
    ['a width of nothing', rendition('/uploads/x.png', '0640'), 404],
    ['another format', rendition('/uploads/x.png', 640, 'png'), 404],
    ['no file', '/images/', 404],
    ['no picture', '/images/640.avif', 400],
    ['two pictures', '/images/640.avif?src=/uploads/x.png&src=/uploads/y.png', 400],
    ['further parameters', `${rendition('/uploads/x.png')}&quality=100`, 400],
    ['a foreign origin', rendition('https://evil.example/a.png'), 403],
    ['an allowed host with another port', rendition('http://127.0.0.1:1/a.png'), 403],
    ['credentials', rendition('https://user@evil.example/a.png'), 403],
    ['another file of the backend', rendition('/api/settings'), 403],
    ['a file of the machine', rendition('file:///etc/passwd'), 403],
    ['a way out of the folder', rendition('/uploads/../api/settings'), 403],
    ['an encoded way out of the folder', rendition('/uploads/%2e%2e/api/settings'), 403],
    ['a page of the site', rendition('/about'), 403],
    ['an address that cannot be decoded', rendition('/uploads/%ff.png'), 403],
    ['a missing picture', rendition('/uploads/none.png'), 404],
  ])(
    'a rendition address that no page contains is refused: %s',
    async ([name, address, status], { backend, get }) => {
      const answer = await get(address);
      expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
      expect(answer.text).not.toBe('');
      expect(backend.calls).toHaveLength(name === 'a missing picture' ? 1 : 0);
    },
  );

  it('a rendition address gets a 405 for another method', async ({ get }) => {
    const answer = await get(rendition('/uploads/x.png'), {}, 'POST');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('scaling', () => {
  let working = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const scale = async () => {
    working += 1;
    most = Math.max(most, working);
    await new Promise<void>(resolve => ends.push(resolve));
    working -= 1;
    return Buffer.from('scaled');
  };

  it('two small pictures are scaled at once, a hundred wait, and a further one is sent unscaled', async ({
    site,
    get,
    serve,
  }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
    const renditions = new ImageRenditions({
      dir,
      maxBytes: 1_000_000,
      media: site.site.media,
      health: UNWATCHED,
      log: site.site.log,
      pictureScaler: createPictureScaler({ scale }),
      isNamed: () => true,
    });
    Object.assign(site.site, { images: renditions });
    const pathOf = (number: number) => `/uploads/many-${number}.png`;
    for (let number = 0; number < 110; number += 1)
      serve(pathOf(number), Buffer.concat([blankPng({ width: 4, height: 4 }), Buffer.from(`${number}`)]));
    const statuses: number[] = [];
    const answers = Array.from({ length: 110 }, async (_, number) => {
      const answer = await get(rendition(pathOf(number)));
      statuses.push(answer.status);
      if (answer.status === 302) expect(answer.headers.location).toBe(pathOf(number));
    });
    await eventually(() => expect(statuses).toEqual(Array(8).fill(302)));
    expect(ends).toHaveLength(2);
    expect(renditions.work).toEqual({ running: 2, waiting: 100 });
    const end = setInterval(() => ends.shift()?.(), 1);
    await Promise.all(answers);
    clearInterval(end);
    expect(statuses.slice(8)).toEqual(Array(102).fill(200));
    expect(most).toBe(2);
    expect(existsSync(dir)).toBe(true);
    await rm(dir, { recursive: true });
  });

  it('a picture of over four megapixels, or of unknown size, is scaled alone', async ({
    site,
    get,
    serve,
  }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
    const images = new ImageRenditions({
      ...{ dir, maxBytes: 1_000_000, media: site.site.media, health: UNWATCHED, log: site.site.log },
      ...{ pictureScaler: createPictureScaler({ scale }), isNamed: () => true },
    });
    Object.assign(site.site, { images });
    most = 0;
    const files = [
      blankPng({ width: 2_001, height: 2_000 }),
      Buffer.from('GIF89a'),
      blankPng({ width: 4, height: 4 }),
    ];
    const answers: ReturnType<typeof get>[] = [];
    for (const [number, file] of files.entries()) {
      serve(`/uploads/alone-${number}.png`, file);
      answers.push(get(rendition(`/uploads/alone-${number}.png`)));
      await eventually(() => expect(images.work).toEqual({ running: 1, waiting: number }));
    }
    for (const _ of files) {
      await eventually(() => expect(ends).toHaveLength(1));
      ends.shift()?.();
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(most).toBe(1);
    await rm(dir, { recursive: true });
  });

  it('the metrics count renditions that were found on disk, made, refused and missing', async ({
    backend,
    photo,
    serve,
  }) => {
    const own = await startSite({ contentBaseUrl: backend.url });
    serve('/uploads/counted.png', photo);
    serve('/uploads/text.png', 'no picture');
    const ask = (src: string) => sendRequest(own.url, rendition(src, 320, 'webp'));
    for (const src of ['counted', 'counted', 'counted', 'text', 'none']) await ask(`/uploads/${src}.png`);
    backend.on('/uploads/down.png', failing(500));
    await ask('/uploads/down.png');
    const { text } = await sendRequest(own.opsUrl, '/metrics');
    const lines = text.split('\n').filter(line => /^site_(rendition|scale_duration.*count)/.test(line));
    expect(lines.sort()).toEqual([
      'site_rendition_answers_total{outcome="absent"} 1',
      'site_rendition_answers_total{outcome="busy"} 0',
      'site_rendition_answers_total{outcome="failed"} 1',
      'site_rendition_answers_total{outcome="given-up"} 0',
      'site_rendition_answers_total{outcome="hit"} 2',
      'site_rendition_answers_total{outcome="made"} 1',
      'site_rendition_answers_total{outcome="refused"} 1',
      'site_rendition_answers_total{outcome="unavailable"} 0',
      'site_renditions_in_flight 0',
      'site_renditions_waiting 0',
      'site_scale_duration_seconds_count 2',
    ]);
    await own.close();
  });

  it('without sharp a picture is served unscaled, and the log says so once', async ({
    site,
    photo,
    get,
    serve,
  }) => {
    const renditions = new ImageRenditions({
      dir: path.join(os.tmpdir(), 'never-made'),
      maxBytes: 1_000_000,
      media: site.site.media,
      health: UNWATCHED,
      log: site.site.log,
      pictureScaler: createPictureScaler(
        new Scaler({
          log: site.site.log,
          entry: path.resolve(import.meta.dirname, '../support/scaling-without-sharp.ts'),
        }),
      ),
      isNamed: () => true,
    });
    Object.assign(site.site, { images: renditions });
    serve('/uploads/original.png', photo);
    for (let time = 0; time < 2; time += 1) {
      const answer = await get(rendition('/uploads/original.png'));
      expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([
        302,
        '/uploads/original.png',
        'no-store',
      ]);
    }
    expect((await get('/uploads/original.png')).body).toEqual(photo);
    expect(site.log.filter(({ code }) => code === 'media-scaler-unavailable')).toHaveLength(1);
  });
});
