import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { minify } from 'terser';
import type { OutputFile } from './output-files.ts';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Minifies scripts for browsers again with terser, which saves 4 kB after Brotli. */
export async function minifyScripts(files: readonly OutputFile[]): Promise<OutputFile[]> {
  const byPath = new Map(files.map(file => [file.path, file]));
  for (const { path, contents } of files) {
    if (!/^client\/assets\/.*\.js$/.test(path)) continue;
    const { code } = await minify(Buffer.from(contents).toString('utf8'), {
      module: true,
      ecma: 2020,
      // The unsafe options make arrow functions. That breaks only code that uses their `new` or `prototype`.
      compress: { ecma: 2020, passes: 3, unsafe_methods: true, unsafe_arrows: true },
      format: { comments: false },
    });
    if (code !== undefined) byPath.set(path, { path, contents: Buffer.from(code) });
  }
  return [...byPath.values()];
}

export async function precompress(files: readonly OutputFile[]): Promise<OutputFile[]> {
  // Skip pictures, fonts and archives, which are already compressed.
  const texts = files.filter(file => file.path.startsWith('client/') && isUtf8(file.contents));
  const compressed = await Promise.all(
    texts.flatMap(({ path, contents }) => [
      smallestBrotli(contents).then(bytes => ({ path: `${path}.br`, contents: bytes })),
      gzipped(contents, { level: 9 }).then(bytes => ({ path: `${path}.gz`, contents: bytes })),
    ]),
  );
  return compressed;
}

/** Brotli's input blocks, as powers of two. The best one differs between bundles. */
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
