import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/**
 * The seven passes of an interlaced PNG, each with its first column and row and its steps (ISO/IEC 15948,
 * 8.2).
 */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export interface PngOptions {
  width: number;
  height: number;
  /** Bits of a sample. */
  depth?: 8 | 16;
  hasAlpha?: boolean;
  isInterlaced?: boolean;
  /** Bytes of image data. The default is the whole picture. */
  dataBytes?: number;
}

/** @returns a PNG whose pixels are all zero: a small file that decodes to any size. */
export function blankPng({
  width,
  height,
  depth = 8,
  hasAlpha = false,
  isInterlaced = false,
  dataBytes,
}: PngOptions): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, hasAlpha ? 6 : 2, 0, 0, isInterlaced ? 1 : 0], 8);
  const pixel = ((hasAlpha ? 4 : 3) * depth) / 8;
  const bytesOf = (columns: number, rows: number) => (columns > 0 ? rows * (1 + columns * pixel) : 0);
  const all = isInterlaced
    ? PASSES.reduce(
        (sum, [x, y, dx, dy]) => sum + bytesOf(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
        0,
      )
    : bytesOf(width, height);
  const data = deflateSync(Buffer.alloc(dataBytes ?? all), { level: 1 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.byteLength, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** @returns a JPEG whose frame header claims a size, with the data of a small picture. */
async function claimedJpeg(width: number, height: number): Promise<Buffer> {
  const small = await plain(64, 64).jpeg().toBuffer();
  const frame = small.indexOf(Buffer.from([0xff, 0xc0]));
  small.writeUInt16BE(height, frame + 5);
  small.writeUInt16BE(width, frame + 7);
  return small;
}

/** @returns a WebP (lossless) whose header claims 16,383 × 16,383 pixels. */
async function claimedWebp(): Promise<Buffer> {
  const small = await plain(64, 64).webp({ lossless: true }).toBuffer();
  const header = small.indexOf('VP8L') + 9;
  small.writeUInt32LE((small.readUInt32LE(header) & 0xf0000000) | 16_382 | ((16_382 << 14) >>> 0), header);
  return small;
}

/** @returns an AVIF whose `ispe` box claims a size. */
async function claimedAvif(width: number, height: number): Promise<Buffer> {
  const small = await plain(64, 64).avif({ effort: 0 }).toBuffer();
  const box = small.indexOf('ispe');
  small.writeUInt32BE(width, box + 8);
  small.writeUInt32BE(height, box + 12);
  return small;
}

/** @returns a GIF that claims a size, with one frame of one pixel. */
function claimedGif(width: number, height: number): Buffer {
  const gif = Buffer.from(
    '47494638396101000100800000000000ffffff2c000000000100010000020244010 03b'.replaceAll(' ', ''),
    'hex',
  );
  gif.writeUInt16LE(width, 6);
  gif.writeUInt16LE(height, 8);
  return gif;
}

function plain(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#456' } });
}

/** A file that an editor or an attacker may upload, and the status of its rendition. */
export interface HostileMedium {
  name: string;
  bytes: () => Buffer | Promise<Buffer>;
  /** Allowed statuses. 200 means that the file is scaled. */
  statuses: readonly number[];
}

/** Hostile files. None may exceed the memory or time of the scaling process. */
export const HOSTILE_MEDIA: readonly HostileMedium[] = [
  {
    name: 'a PNG of 39,000,000 × 1',
    bytes: () => blankPng({ width: 39_000_000, height: 1 }),
    statuses: [413],
  },
  {
    name: 'a PNG of 1 × 39,000,000',
    bytes: () => blankPng({ width: 1, height: 39_000_000 }),
    statuses: [413],
  },
  {
    name: 'a PNG that claims 100,000 × 100,000',
    bytes: () => blankPng({ width: 100_000, height: 100_000, dataBytes: 64 }),
    statuses: [413],
  },
  {
    name: 'an interlaced PNG of 36 megapixels, 16 bits',
    bytes: () => blankPng({ width: 6_000, height: 6_000, depth: 16, hasAlpha: true, isInterlaced: true }),
    statuses: [413],
  },
  {
    name: 'a PNG of 40 megapixels, 16 bits',
    bytes: () => blankPng({ width: 16_000, height: 2_500, depth: 16, hasAlpha: true }),
    statuses: [200, 413],
  },
  {
    name: 'a progressive JPEG of 36 megapixels',
    bytes: () => plain(6_000, 6_000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    statuses: [200, 413],
  },
  { name: 'a JPEG that claims 65,000 × 65,000', bytes: () => claimedJpeg(65_000, 65_000), statuses: [413] },
  { name: 'a WebP that claims 16,383 × 16,383', bytes: claimedWebp, statuses: [413] },
  {
    name: 'an AVIF that claims 60,000 × 60,000',
    bytes: () => claimedAvif(60_000, 60_000),
    statuses: [413, 415, 422],
  },
  {
    name: 'a GIF that claims 65,000 × 65,000',
    bytes: () => claimedGif(65_000, 65_000),
    statuses: [200, 413],
  },
  {
    name: 'a PNG that is cut off',
    bytes: async () => (await plain(3_000, 3_000).png().toBuffer()).subarray(0, 5_000),
    statuses: [422],
  },
  { name: 'HTML', bytes: () => Buffer.from('<!doctype html><script>alert(1)</script>'), statuses: [415] },
  {
    name: 'an SVG of 50,000 open elements',
    bytes: () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(50_000)}`),
    statuses: [415],
  },
];
