import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  gzip,
  gzipSync,
} from 'node:zlib';

export type PageEncoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const unbrotli = promisify(brotliDecompress);
const ungzipped = promisify(gunzip);

/** The Brotli level. The highest level saves a quarter of the bytes, and takes a hundred times as long. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
/** The Brotli level of bodies that are stored briefly or never. */
const FAST_BROTLI_QUALITY = 1;
const FAST_GZIP_LEVEL = 1;
/** Limit for compressing synchronously. For fewer bytes, a thread of zlib costs more than it saves. */
const MAX_SYNC_BYTES = 256 * 1024;
const MIN_CHUNK_BYTES = 64;

/** @returns a buffer of the exact size, because zlib's buffer would hold 16 KiB in memory. */
export async function compress(body: Buffer, encoding: PageEncoding, isFast = false): Promise<Buffer> {
  return ownBytes(await (encoding === 'br' ? brotliOf(body, isFast) : gzipOf(body, isFast)));
}

/** Copies a part of a buffer, because the part would keep the whole buffer in memory. */
export function ownBytes(part: Uint8Array): Buffer {
  const own = Buffer.allocUnsafeSlow(part.byteLength);
  own.set(part);
  return own;
}

function brotliOf(body: Buffer, isFast: boolean): Buffer | Promise<Buffer> {
  const params = brotliParams(body.byteLength, isFast ? FAST_BROTLI_QUALITY : BROTLI_QUALITY);
  return isShort(body.byteLength) ? brotliCompressSync(body, { params }) : brotli(body, { params });
}

function gzipOf(body: Buffer, isFast: boolean): Buffer | Promise<Buffer> {
  const options = { level: isFast ? FAST_GZIP_LEVEL : GZIP_LEVEL };
  return isShort(body.byteLength) ? gzipSync(body, options) : gzipped(body, options);
}

const isShort = (bytes: number) => bytes <= MAX_SYNC_BYTES;

/** @param bytes the size of the result. */
export async function decompress(body: Buffer, encoding: PageEncoding, bytes: number): Promise<Buffer> {
  const options = { chunkSize: Math.max(MIN_CHUNK_BYTES, bytes + 1) };
  if (encoding === 'br') return isShort(bytes) ? brotliDecompressSync(body, options) : unbrotli(body);
  return isShort(bytes) ? gunzipSync(body, options) : ungzipped(body);
}

function brotliParams(bytes: number, quality: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
    [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes),
  };
}

/**
 * @returns the bits of the smallest window for the page, at most Brotli's default (4 MiB). Brotli's memory is
 * several times its window.
 */
function windowBits(bytes: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_DEFAULT_WINDOW: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(bytes + 16))));
}
