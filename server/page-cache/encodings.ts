import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';

/** The encodings in which pages are stored (RFC 9110, 8.4.1). */
export type PageEncoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const unbrotli = promisify(brotliDecompress);
const ungzipped = promisify(gunzip);

/** Level 5 compresses a page of 80 KB in half a millisecond. The highest level saves a quarter and needs a hundred times as long. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

/** @returns the compressed body in a buffer of its exact size. zlib's own buffer would hold a chunk of 16 KiB in memory. */
export async function compress(body: Buffer, encoding: PageEncoding): Promise<Buffer> {
  const packed =
    encoding === 'br'
      ? await brotli(body, { params: brotliParams(body.byteLength) })
      : await gzipped(body, { level: GZIP_LEVEL });
  const own = Buffer.allocUnsafeSlow(packed.byteLength);
  packed.copy(own);
  return own;
}

export function decompress(body: Buffer, encoding: PageEncoding): Promise<Buffer> {
  return encoding === 'br' ? unbrotli(body) : ungzipped(body);
}

function brotliParams(bytes: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
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
