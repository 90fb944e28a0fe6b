import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ServedFile } from '../http/send-file.ts';

/** The encodings in which media are stored. */
export type StoredEncoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Smaller files fit into one packet anyway. Larger ones are no pictures that a page should show. */
const MIN_BYTES = 512;
const MAX_BYTES = 4 * 1024 * 1024;
/** Each file is compressed once, so that the level may be high. The highest one needs ten times as long for 3 % less. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;

/** @returns the compressed body of a stored file; null for a file that is too small or too large, or does not become smaller. */
export async function compressFile(
  { file, bodyBytes }: ServedFile,
  encoding: StoredEncoding,
): Promise<Buffer | null> {
  if (bodyBytes < MIN_BYTES || bodyBytes > MAX_BYTES) return null;
  const body = (await readFile(file)).subarray(0, bodyBytes);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const packed = await (encoding === 'br' ? brotli(body, { params }) : gzipped(body, { level: GZIP_LEVEL }));
  return packed.byteLength < bodyBytes ? packed : null;
}
