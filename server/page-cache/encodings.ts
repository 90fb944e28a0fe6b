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

/** The encodings in which pages are stored (RFC 9110, 8.4.1). */
export type PageEncoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const unbrotli = promisify(brotliDecompress);
const ungzipped = promisify(gunzip);

/** Level 5 compresses a page of 80 KB in half a millisecond. The highest level saves a quarter and needs a hundred times as long. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
/** The levels for bodies that are not stored, or for a moment only: a fifth more bytes, for a seventh of the time in br. */
const FAST_BROTLI_QUALITY = 1;
const FAST_GZIP_LEVEL = 1;
/**
 * Bodies of at most this many bytes are compressed, and decompressed, on the main thread. The way to a thread of zlib and its stream take 0.1 ms of the processor, half of it of the main
 * thread; 40 KB in br take 0.3 ms. A page is rendered in the same turn of the event loop, for twice as long.
 */
const MAX_SYNC_BYTES = 256 * 1024;
/** The smallest piece that zlib accepts. */
const MIN_CHUNK_BYTES = 64;

/** @returns the compressed body in a buffer of its exact size. zlib's own buffer would hold a chunk of 16 KiB in memory. */
export async function compress(body: Buffer, encoding: PageEncoding, isFast = false): Promise<Buffer> {
  const packed = await (encoding === 'br' ? brotliOf(body, isFast) : gzipOf(body, isFast));
  const own = Buffer.allocUnsafeSlow(packed.byteLength);
  packed.copy(own);
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

/** @returns whether a body of so many bytes is compressed, and decompressed, on the main thread. */
const isShort = (bytes: number) => bytes <= MAX_SYNC_BYTES;

/** @param bytes of the result. In one piece of this size, 40 KB take 0.04 ms on the main thread; with the way to a thread they take it 0.07 ms, and 0.16 ms in all. */
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

/** The window is as large as the page. brotli needs several times the window's size in memory, and the default is 4 MiB. */
function windowBits(bytes: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_DEFAULT_WINDOW: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(bytes + 16))));
}
