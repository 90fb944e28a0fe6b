import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImageRenditions } from '../../server/media/image-renditions.ts';
import type { ScaleImage } from '../../server/media/scale-image.ts';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { close, listen } from '../support/listen.ts';
import { sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let backend: FakeBackend;
let elsewhere: Server;
let cdn: string;
let site: RunningSite;
let photo: Buffer;
const servedElsewhere: IncomingMessage[] = [];

/** A hundred pictures at once may take their time on a busy machine: a deadline that passes is not what is tested here. */
const PATIENT_MS = '60000';

beforeAll(async () => {
  backend = await startFakeBackend();
  elsewhere = createServer((req, res) => {
    servedElsewhere.push(req);
    if (req.url === '/moved.png') res.writeHead(302, { Location: `${backend.url}/uploads/secret.png` }).end();
    else sendPicture(res, photo);
  });
  cdn = await listen(elsewhere);
  site = await startSite({
    contentBaseUrl: backend.url,
    env: { MEDIA_ORIGINS: cdn, CONTENT_TIMEOUT_MS: PATIENT_MS },
  });
  photo = await picture(1000, 500);
});
afterEach(() => {
  backend.reset();
  servedElsewhere.length = 0;
});
afterAll(async () => {
  await site.close();
  await Promise.all([backend.close(), close(elsewhere)]);
});

/** A picture with something in it. */
function picture(width: number, height: number, format: 'png' | 'jpeg' = 'png'): Promise<Buffer> {
  const create = { width, height, channels: 3, background: '#0b6b4f' } as const;
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 120, sigma: 30 } } })
    .toFormat(format)
    .toBuffer();
}

function sendPicture(res: ServerResponse, bytes: Buffer, type = 'image/png'): void {
  res.writeHead(200, { 'Content-Type': type }).end(bytes);
}

function serve(address: string, bytes: Buffer | string, type?: string): void {
  backend.on(address, (_req, res) => sendPicture(res, Buffer.from(bytes), type));
}

const rendition = (src: string, width: number | string = 640, format = 'avif') =>
  `/images/${width}.${format}?src=${encodeURIComponent(src)}`;

const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRequest(site.url, address, { headers, method });

describe('a rendition', () => {
  it.each([
    [640, 'avif', 'heif'],
    [320, 'webp', 'webp'],
  ])('%d px wide in %s is made of the picture, once, and kept', async (width, format, decoded) => {
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
      'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
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
  });

  it('is never wider than the picture', async () => {
    serve('/uploads/small.png', await picture(200, 100));
    const answer = await get(rendition('/uploads/small.png', 1920, 'webp'));
    expect(await sharp(answer.body).metadata()).toMatchObject({ width: 200, height: 100 });
  });

  it('stands upright, as its camera says', async () => {
    const turned = await sharp(await picture(800, 400, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    serve('/uploads/turned.jpg', turned, 'image/jpeg');
    const answer = await get(rendition('/uploads/turned.jpg', 320, 'webp'));
    expect(await sharp(answer.body).metadata()).toMatchObject({ width: 320, height: 640 });
  });

  it('has one file, however its address is spelt', async () => {
    serve('/uploads/a%20b.png', photo);
    expect((await get(rendition('/uploads/a%20b.png'))).status).toBe(200);
    expect((await get('/uploads/a%20b.png')).status).toBe(200);
    expect(backend.calls).toHaveLength(1);
  });

  it('comes from an allowed origin, too, which sees no credentials, and is followed nowhere else', async () => {
    const answer = await get(rendition(`${cdn}/photo.png?v=2`));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/avif']);
    expect(servedElsewhere.map(({ url, headers }) => [url, headers.authorization, headers.cookie])).toEqual([
      ['/photo.png?v=2', undefined, undefined],
    ]);
    expect((await get(rendition(`${cdn}/moved.png`))).status).toBe(503);
    expect(backend.calls).toEqual([]);
  });
});

describe('the last good rendition', () => {
  it('is served while the backend is down, by the next process as well; one that was never made is a 503', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
    const before = await startSite({ contentBaseUrl: backend.url, dataDir });
    serve('/uploads/kept.png', photo);
    const made = await sendRequest(before.url, rendition('/uploads/kept.png'));
    await before.close();
    // Even its original may have gone.
    await rm(path.join(dataDir, 'media'), { recursive: true });
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

  it('is replaced when the picture is another one', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
    const own = await startSite({ contentBaseUrl: backend.url, dataDir });
    serve('/uploads/changing.png', photo);
    const first = await sendRequest(own.url, rendition('/uploads/changing.png', 320, 'webp'));
    serve('/uploads/changing.png', await picture(900, 900));
    await rm(path.join(dataDir, 'media'), { recursive: true });
    const second = await sendRequest(own.url, rendition('/uploads/changing.png', 320, 'webp'));
    expect(await sharp(first.body).metadata()).toMatchObject({ height: 160 });
    expect(await sharp(second.body).metadata()).toMatchObject({ height: 320 });
    expect(
      (await readdir(path.join(dataDir, 'renditions'))).filter(name => !name.includes('.')),
    ).toHaveLength(1);
    await own.close();
    await rm(dataDir, { recursive: true });
  });
});

/** A PNG whose head alone is true: it claims a size and holds nothing. */
function claimedPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
    return Buffer.concat([head, data, crc]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const ANIMATED_GIF = Buffer.from(
  '47494638396101000100800000000000ffffff' +
    '21f904000a0000002c000000000100010000020244010' +
    '021f904000a0000002c00000000010001000002024c01003b',
  'hex',
);

describe('what cannot be scaled is refused', () => {
  const refusals: [
    name: string,
    status: number,
    says: RegExp,
    bytes: () => Buffer | string | Promise<Buffer>,
  ][] = [
    ['a file of 21 MB', 413, /20971520 bytes/, () => Buffer.concat([photo, randomBytes(21 * 1024 * 1024)])],
    [
      'a picture that claims 100,000 × 100,000 px',
      413,
      /40000000 pixels/,
      () => claimedPng(100_000, 100_000),
    ],
    ['a picture of 40.01 megapixels', 413, /40000000 pixels/, () => claimedPng(8_002, 5_000)],
    ['a picture that was cut off', 422, /broken/, () => photo.subarray(0, photo.length / 2)],
    ['a picture that holds nothing', 422, /broken/, () => claimedPng(800, 600)],
    ['a text that poses as a picture', 415, /no picture/, () => 'This is no picture at all.'],
    ['HTML that poses as a picture', 415, /no picture/, () => '<!doctype html><script>alert(1)</script>'],
    [
      'SVG that poses as a picture',
      415,
      /no picture/,
      () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    ],
    ['PDF that poses as a picture', 415, /no picture/, () => '%PDF-1.7\n1 0 obj'],
    ['an animated picture', 415, /Animated/, () => ANIMATED_GIF],
    ['nothing', 415, /no picture/, () => ''],
  ];

  it.each(refusals)('%s', async (name, status, says, bytes) => {
    const src = `/uploads/${Buffer.from(name).toString('hex')}.png`;
    serve(src, await bytes());
    for (let time = 0; time < 2; time += 1) {
      const answer = await get(rendition(src));
      expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
      expect(answer.text).toMatch(says);
    }
    // It was tried once, and the log has it once.
    expect(
      site.log.filter(({ msg, src: logged }) => msg.startsWith('images:') && logged === src),
    ).toHaveLength(1);
  });

  it('and a program is told in JSON', async () => {
    serve('/uploads/text.png', 'text');
    const address = rendition('/uploads/text.png');
    const answer = await get(address, { accept: 'application/json' });
    expect(answer.json()).toEqual({
      error: true,
      url: address,
      statusCode: 415,
      statusMessage: 'Unsupported Media Type',
      message: expect.stringContaining('no picture'),
    });
  });

  it('an SVG file is served as it is, under its own policy', async () => {
    serve('/uploads/drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml');
    const answer = await get('/uploads/drawing.svg');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await get(rendition('/uploads/drawing.svg'))).status).toBe(415);
  });
});

describe('an address that no page has written', () => {
  it.each<[name: string, address: string, status: number]>([
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
    ['a picture that is not there', rendition('/uploads/none.png'), 404],
  ])('%s', async (name, address, status) => {
    const answer = await get(address);
    expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
    expect(answer.text).not.toBe('');
    expect(backend.calls).toHaveLength(name === 'a picture that is not there' ? 1 : 0);
  });

  it('another method', async () => {
    const answer = await get(rendition('/uploads/x.png'), {}, 'POST');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the work', () => {
  let working = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const scale: ScaleImage = async () => {
    working += 1;
    most = Math.max(most, working);
    await new Promise<void>(resolve => ends.push(resolve));
    working -= 1;
    return Buffer.from('scaled');
  };

  it('is two pictures at once; others wait, and beyond a hundred are told to come later', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
    const renditions = createImageRenditions({
      dir,
      maxBytes: 1_000_000,
      media: site.site.media,
      log: site.site.log,
      load: async () => scale,
    });
    Object.assign(site.site, { images: renditions });
    serve('/uploads/many.png', photo);
    const wanted = (number: number) => `/uploads/many-${number}.png`;
    // Small ones: nobody looks into them here.
    for (let number = 0; number < 110; number += 1) serve(wanted(number), `${number}`);
    const statuses: number[] = [];
    const answers = Array.from({ length: 110 }, async (_, number) => {
      const answer = await get(rendition(wanted(number)));
      statuses.push(answer.status);
      if (answer.status === 503) expect(answer.headers['retry-after']).toBe('5');
    });
    await eventually(() => expect(statuses).toEqual(Array(8).fill(503)), 20_000);
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

  it('is counted: what was on the disk, made, refused, and not there', async () => {
    const own = await startSite({ contentBaseUrl: backend.url });
    serve('/uploads/counted.png', photo);
    serve('/uploads/text.png', 'no picture');
    const ask = (src: string) => sendRequest(own.url, rendition(src, 320, 'webp'));
    for (const src of ['counted', 'counted', 'counted', 'text', 'none']) await ask(`/uploads/${src}.png`);
    backend.on('/uploads/down.png', failing(500));
    await ask('/uploads/down.png');
    const { text } = await sendRequest(own.opsUrl, '/metrics');
    const lines = text
      .split('\n')
      .filter(line => /^site_(rendition|scale_duration.*count|pictures)/.test(line));
    expect(lines.sort()).toEqual([
      'site_pictures_being_scaled 0',
      'site_pictures_waiting 0',
      'site_rendition_answers_total{outcome="absent"} 1',
      'site_rendition_answers_total{outcome="failed"} 1',
      'site_rendition_answers_total{outcome="hit"} 2',
      'site_rendition_answers_total{outcome="made"} 1',
      'site_rendition_answers_total{outcome="refused"} 1',
      'site_scale_duration_seconds_count 2',
    ]);
    await own.close();
  });

  it('cannot be done without sharp: the picture itself is served, and the log says so once', async () => {
    const renditions = createImageRenditions({
      dir: path.join(os.tmpdir(), 'never-made'),
      maxBytes: 1_000_000,
      media: site.site.media,
      log: site.site.log,
      load: () => Promise.reject(new Error('no binary for this machine')),
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
    expect(site.log.filter(({ msg }) => msg.includes('sharp cannot be loaded'))).toHaveLength(1);
  });
});

describe('on a page', () => {
  const article = '/blog/guides/reading-a-fee-statement';
  const media = (attributes: object) => ({
    data: { id: 1, attributes: { alternativeText: 'A', ...attributes } },
  });

  /** The recorded article with another cover and body. */
  async function pageWith(changes: Record<string, unknown>): Promise<string> {
    const body = capture('v5-as-v4', 'article-by-slug.json') as {
      data: { attributes: Record<string, unknown> }[];
    };
    const row = structuredClone(body.data[0]);
    if (!row) throw new Error('There is no recorded article');
    Object.assign(row.attributes, changes);
    const category = row.attributes.category as { data: { attributes: { slug: string } } };
    backend.on('/api/articles', (_req, res) =>
      res
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ data: [row], meta: {} })),
    );
    const own = await startSite({
      contentBaseUrl: backend.url,
      env: { MEDIA_ORIGINS: cdn, PUBLIC_URL: 'https://www.example.com' },
    });
    try {
      const answer = await sendRequest(
        own.url,
        `/blog/${category.data.attributes.slug}/${String(row.attributes.slug)}`,
        { headers: { accept: 'text/html' } },
      );
      expect(answer.status, article).toBe(200);
      return answer.text;
    } finally {
      await own.close();
    }
  }

  const imagesOf = (html: string) => html.match(/<(?:img|source)\b[^>]*>/g) ?? [];

  it('the backend’s formats become srcset and sizes, and the cover is fetched first', async () => {
    const format = (width: number) => ({ url: `/uploads/${width}_a.png`, width, height: width / 2 });
    const html = await pageWith({
      cover: media({
        url: '/uploads/a.png',
        width: 2000,
        height: 1000,
        formats: { large: format(1000), small: format(500) },
      }),
    });
    const cover = imagesOf(html).find(tag => tag.includes('/uploads/a.png'));
    expect(cover).toContain(
      'srcSet="/uploads/500_a.png 500w, /uploads/1000_a.png 1000w, /uploads/a.png 2000w"',
    );
    expect(cover).toMatch(/sizes="[^"]+"/);
    expect(cover).toMatch(/width="2000" height="1000".*fetchPriority="high"/i);
    expect(cover).not.toContain('loading=');
    expect(html).not.toContain('<source');
  });

  it('pictures without formats are offered as AVIF, as WebP and as they are, the last one as wide as it is', async () => {
    serve('/uploads/inside.png', photo);
    const html = await pageWith({
      cover: media({ url: `${cdn}/b.jpg`, width: 1000, height: 500, formats: null }),
      body: 'Text\n\n![Inside](/uploads/inside.png "Caption")\n\n![Drawn](/uploads/drawn.svg)',
    });
    const src = encodeURIComponent(`${cdn}/b.jpg`);
    const [avif, webp, cover] = imagesOf(html).filter(tag => tag.includes('b.jpg'));
    expect(avif).toContain(
      `type="image/avif" srcSet="${[320, 640, 960].map(width => `/images/${width}.avif?src=${src} ${width}w`).join(', ')}, /images/1280.avif?src=${src} 1000w" sizes="`,
    );
    expect(webp).toContain(`type="image/webp" srcSet="/images/320.webp?src=${src} 320w`);
    expect(cover).toContain(`src="${cdn}/b.jpg"`);
    // The text does not say how large its picture is: the site has looked.
    const inside = imagesOf(html).find(tag => tag.includes('src="/uploads/inside.png"'));
    expect(inside).toMatch(/width="1000" height="500".*loading="lazy" decoding="async"/);
    expect(imagesOf(html).filter(tag => tag.includes('inside.png'))).toHaveLength(3);
    expect(imagesOf(html).filter(tag => tag.includes('drawn.svg'))).toHaveLength(1);
  });

  it('pictures whose file is too large to be scaled are offered as they are', async () => {
    const cover = { url: '/uploads/large.png', width: 4000, height: 3000, formats: null };
    for (const [size, tags] of [
      [20_971.52, 3],
      [20_971.53, 1],
    ] as const) {
      const html = await pageWith({ cover: media({ ...cover, size }) });
      expect([size, imagesOf(html).filter(tag => tag.includes('large.png')).length]).toEqual([size, tags]);
    }
  });

  it('JSON-LD that an editor has written gets absolute addresses of the site’s own files', async () => {
    const landing = capture('v5-as-v4', 'landing.json') as { data: { attributes: Record<string, unknown> } };
    landing.data.attributes.schema1 = {
      '@type': 'Organization',
      logo: '/uploads/l.svg',
      url: '/about',
      image: [{ url: '/uploads/a.png' }],
    };
    backend.on('/api/landing', landing);
    const env = { PUBLIC_URL: 'https://www.example.com' };
    const own = await startSite({ contentBaseUrl: backend.url, env });
    const { text } = await sendRequest(own.url, '/', { headers: { accept: 'text/html' } });
    await own.close();
    expect(text).toContain(
      '{"@type":"Organization","logo":"https://www.example.com/uploads/l.svg","url":"/about","image":[{"url":"https://www.example.com/uploads/a.png"}]}',
    );
  });

  it('JSON-LD and the head name the picture by its absolute address', async () => {
    const own = await pageWith({
      cover: media({ url: '/uploads/a.png', width: 20, height: 10, formats: null }),
    });
    expect(own).toContain('"image":"https://www.example.com/uploads/a.png"');
    expect(own).toContain('<meta property="og:image" content="https://www.example.com/uploads/a.png">');
    const foreign = await pageWith({ cover: media({ url: `${cdn}/c.png`, width: 20, height: 10 }) });
    expect(foreign).toContain(`"image":"${cdn}/c.png"`);
  });
});
