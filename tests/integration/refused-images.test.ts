import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { blankPng } from '../faults/hostile-media.ts';
import { imageTest as it, rendition } from '../support/image-test.ts';

/** A PNG whose valid header claims a size, and which has no image data. */
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

describe('a picture that cannot be scaled', () => {
  const refusals: [
    name: string,
    status: number,
    says: RegExp,
    bytes: (photo: Buffer) => Buffer | string | Promise<Buffer>,
  ][] = [
    [
      'a file of 21 MB',
      413,
      /20971520 bytes/,
      photo => Buffer.concat([photo, randomBytes(21 * 1024 * 1024)]),
    ],
    [
      'a picture that claims 100,000 × 100,000 px',
      413,
      /40000000 pixels/,
      () => claimedPng(100_000, 100_000),
    ],
    ['a picture of 40.01 megapixels', 413, /40000000 pixels/, () => claimedPng(8_002, 5_000)],
    ['a picture of 16,001 × 1 px', 413, /side over 16000 pixels/, () => claimedPng(16_001, 1)],
    ['a picture of 1 × 16,001 px', 413, /side over 16000 pixels/, () => claimedPng(1, 16_001)],
    ['a picture that was cut off', 422, /broken/, photo => photo.subarray(0, photo.length / 2)],
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

  it.for(refusals)(
    'a picture that cannot be scaled is refused: %s',
    async ([name, status, says, bytes], { site, photo, get, serve }) => {
      const src = `/uploads/${Buffer.from(name).toString('hex')}.png`;
      serve(src, await bytes(photo));
      for (let time = 0; time < 2; time += 1) {
        const answer = await get(rendition(src));
        expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
        expect(answer.headers['content-type']).toMatch(/^text\/plain/);
        expect(answer.text).toMatch(says);
      }
      // Scaling was tried only once, and logged once.
      expect(
        site.log.filter(({ code, src: logged }) => code.startsWith('media-') && logged === src),
      ).toHaveLength(1);
    },
  );

  it('a picture that the CMS lacks is requested once, whatever its width', async ({ backend, get }) => {
    const src = '/uploads/nowhere.png';
    for (const width of [320, 640, 1280]) expect((await get(rendition(src, width))).status).toBe(404);
    expect((await get(src)).status).toBe(404);
    expect(backend.callsTo(src)).toHaveLength(1);
  });

  it('a picture may be 16,000 px wide', async ({ get, serve }) => {
    serve('/uploads/wide.png', blankPng({ width: 16_000, height: 8 }));
    expect((await get(rendition('/uploads/wide.png'))).status).toBe(200);
  });

  it('a refused picture is reported in JSON to programs', async ({ get, serve }) => {
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

  it('an SVG is served unscaled, with a separate policy', async ({ get, serve }) => {
    serve('/uploads/drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml');
    const answer = await get('/uploads/drawing.svg');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await get(rendition('/uploads/drawing.svg'))).status).toBe(415);
  });
});
