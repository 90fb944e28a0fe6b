import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { mediaTag } from '../../server/content/tags/media-tags.ts';
import type { Behaviour } from '../support/fake-backend.ts';
import { imageTest as it, rendition } from '../support/image-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h24v24H0z"/>'.repeat(200)}</svg>`;

const answers =
  (status: number, headers: Record<string, string>, body: Buffer | string = SVG): Behaviour =>
  (_req, res) =>
    void res.writeHead(status, { 'Content-Type': 'image/svg+xml', ...headers }).end(body);

/** @returns the number of stored media files. */
async function stored({ site }: RunningSite): Promise<number> {
  return (await readdir(path.join(site.backendFolder.dir, 'media')).catch(() => [])).length;
}

describe('an incomplete media file', () => {
  it.for<[string, Behaviour]>([
    ['206', answers(206, { 'Content-Range': `bytes 0-9/${SVG.length}` }, SVG.slice(0, 10))],
    ['204', answers(204, {}, '')],
    ['203', answers(203, {})],
    [
      'shorter than its Content-Length',
      (_req, res) => {
        res.writeHead(200, { 'Content-Type': 'image/svg+xml', 'Content-Length': SVG.length });
        res.write(SVG.slice(0, 100), () => res.destroy());
      },
    ],
    [
      'cut off in its chunks',
      (_req, res) => {
        res.writeHead(200, { 'Content-Type': 'image/svg+xml' });
        res.write(SVG.slice(0, 100), () => res.destroy());
      },
    ],
    ['broken gzip', answers(200, { 'Content-Encoding': 'gzip' }, gzipSync(SVG).subarray(0, 40))],
    ['an unknown encoding', answers(200, { 'Content-Encoding': 'compress' })],
  ])(
    'an incomplete file from a media origin is a 503, and is not stored: %s',
    async ([name, behaviour], { site, backend, get }) => {
      const address = `/uploads/part-${Buffer.from(name).toString('hex')}.svg`;
      const before = await stored(site);
      backend.on(address, behaviour);
      const answer = await get(address);
      expect([answer.status, answer.headers['cache-control']]).toEqual([503, 'no-store']);
      expect(await stored(site)).toBe(before);
    },
  );
});

describe('the content encoding of the origin', () => {
  it.for<[string, Buffer]>([
    ['gzip', gzipSync(SVG)],
    ['deflate', deflateSync(SVG)],
    ['br', brotliCompressSync(SVG)],
    ['zstd', zstdCompressSync(SVG)],
  ])('media with a content encoding are decoded: %s', async ([encoding, body], { backend, get }) => {
    const address = `/uploads/in-${encoding}.svg`;
    backend.on(address, answers(200, { 'Content-Encoding': encoding }, body));
    for (let time = 0; time < 2; time++) {
      const answer = await get(address);
      expect([answer.status, answer.headers['content-encoding'], answer.text]).toEqual([200, undefined, SVG]);
    }
    expect(backend.callsTo(address)).toHaveLength(1);
  });
});

describe('a media file that its origin forbids to store', () => {
  it.for<[string, string]>([
    ['no-store', 'no-store'],
    ['private, max-age=60', 'private'],
    ['Private="x", no-store', 'private, no-store'],
  ])(
    'a file whose origin forbids storing is passed on, and not stored: %s',
    async ([directives, kept], { site, backend, get }) => {
      const address = `/uploads/kept-${kept.length}-${directives.length}.svg`;
      const before = await stored(site);
      backend.on(address, answers(200, { 'Cache-Control': directives }));
      for (let time = 0; time < 2; time++) {
        const answer = await get(address);
        expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, SVG, kept]);
        expect(answer.headers['content-security-policy']).toContain('sandbox');
      }
      expect(await stored(site)).toBe(before);
    },
  );

  it('a file whose origin forbids storing has no renditions, and visitors are redirected to it', async ({
    backend,
    photo,
    get,
  }) => {
    backend.on('/uploads/private.png', answers(200, { 'Cache-Control': 'private' }, photo));
    const answer = await get(rendition('/uploads/private.png'));
    expect([answer.status, answer.headers.location]).toEqual([302, '/uploads/private.png']);
  });
});

describe('an SVG', () => {
  it('an SVG is compressed once for each encoding, and its responses vary by encoding', async ({
    site,
    backend,
    get,
  }) => {
    const address = '/uploads/drawn.svg';
    backend.on(address, answers(200, {}));
    const plain = await get(address);
    expect([plain.text, plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      ...[SVG, undefined, 'Accept-Encoding'],
    ]);
    const etags = new Set([plain.headers.etag]);
    for (const encoding of ['br', 'gzip']) {
      const before = await stored(site);
      const [first, second] = [
        await get(address, { 'accept-encoding': encoding }),
        await get(address, { 'accept-encoding': encoding }),
      ];
      expect([first.status, first.headers['content-encoding'], first.headers.vary]).toEqual([
        ...[200, encoding, 'Accept-Encoding'],
      ]);
      expect(first.headers['content-type']).toBe('image/svg+xml');
      expect(first.body.byteLength).toBeLessThan(SVG.length / 5);
      expect([second.body, second.headers.etag]).toEqual([first.body, first.headers.etag]);
      expect(await stored(site)).toBe(before + 1);
      etags.add(first.headers.etag);
      const known = { 'accept-encoding': encoding, 'if-none-match': first.headers.etag ?? '' };
      const same = await get(address, known);
      expect([same.status, same.headers.vary]).toEqual([304, 'Accept-Encoding']);
      const head = await get(address, { 'accept-encoding': encoding }, 'HEAD');
      expect(head.headers['content-length']).toBe(String(first.body.byteLength));
    }
    expect(etags.size).toBe(3);
    expect(backend.callsTo(address)).toHaveLength(1);
  });

  it('a changed SVG is compressed again', async ({ site, backend, get }) => {
    const address = '/uploads/redrawn.svg';
    const encoded = { 'accept-encoding': 'gzip' };
    backend.on(address, answers(200, {}));
    const first = await get(address, encoded);
    backend.on(address, answers(200, {}, SVG.replaceAll('24', '48')));
    site.site.invalidation.invalidate([mediaTag(address)]);
    const second = await get(address, encoded);
    expect(second.headers['content-encoding']).toBe('gzip');
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });

  it('SVG is the only picture format that is compressed', async ({ backend, photo, get }) => {
    backend.on('/uploads/raster.png', answers(200, {}, photo));
    const answer = await get('/uploads/raster.png', { 'accept-encoding': 'br' });
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, undefined]);
  });
});
