import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { OutputFile } from './output-files.ts';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Pictures and fonts are compressed already; source maps are for the rare developer. */
const TEXT = /\.(?:js|css|svg|json|txt|html|xml|webmanifest)$/;

/**
 * Compresses the browser's text files as far as it goes, once, here, so that the server has only to send them.
 * All at once: zlib works in the thread pool.
 *
 * @returns for each text file below `client/` a `.br` (quality 11) and a `.gz` (level 9).
 */
export async function precompress(files: readonly OutputFile[]): Promise<OutputFile[]> {
  const texts = files.filter(file => file.path.startsWith('client/') && TEXT.test(file.path));
  const compressed = await Promise.all(
    texts.flatMap(({ path, contents }) => [
      brotli(contents, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
          // 64 KiB: a bundle is many modules that have little in common, and a thousandth smaller than in one block.
          [constants.BROTLI_PARAM_LGBLOCK]: 16,
        },
      }).then(bytes => ({ path: `${path}.br`, contents: bytes })),
      gzipped(contents, { level: 9 }).then(bytes => ({ path: `${path}.gz`, contents: bytes })),
    ]),
  );
  return compressed;
}
