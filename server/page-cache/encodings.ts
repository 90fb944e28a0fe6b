import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';

/** The encodings in which pages are stored (RFC 9110, 8.4.1). */
export type PageEncoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const unbrotli = promisify(brotliDecompress);
const ungzipped = promisify(gunzip);

/** Half a millisecond for a page of 80 KB; the highest level would take a hundred times as long and save a quarter. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

/** @returns the compressed body, in a buffer of just its size: zlib's own would keep its 16 KiB chunk in memory. */
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

/** A window as large as the page: brotli needs several times its size in memory, and takes 4 MiB unless told. */
function windowBits(bytes: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_DEFAULT_WINDOW: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(bytes + 16))));
}
