import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { OutputFile } from './output-files.ts';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * Compresses the browser's text files at the highest level, so that the server only sends them. All files are compressed in
 * parallel, because zlib works in the thread pool.
 *
 * @returns for each text file below `client/` a `.br` (quality 11) and a `.gz` (level 9).
 */
export async function precompress(files: readonly OutputFile[]): Promise<OutputFile[]> {
  // Pictures, fonts and archives are compressed already, and are not text.
  const texts = files.filter(file => file.path.startsWith('client/') && isUtf8(file.contents));
  const compressed = await Promise.all(
    texts.flatMap(({ path, contents }) => [
      smallestBrotli(contents).then(bytes => ({ path: `${path}.br`, contents: bytes })),
      gzipped(contents, { level: 9 }).then(bytes => ({ path: `${path}.gz`, contents: bytes })),
    ]),
  );
  return compressed;
}

/** The sizes of brotli's input blocks, as powers of two. Which one is better differs from bundle to bundle, by a thousandth. */
const BLOCK_SIZES = [16, 17, 19];

async function smallestBrotli(contents: Uint8Array): Promise<Buffer> {
  const results = await Promise.all(
    BLOCK_SIZES.map(bits =>
      brotli(contents, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
          [constants.BROTLI_PARAM_LGBLOCK]: bits,
        },
      }),
    ),
  );
  return results.reduce((best, other) => (other.length < best.length ? other : best));
}
