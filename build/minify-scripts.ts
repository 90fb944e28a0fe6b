import { minify } from 'terser';
import type { OutputFile } from './output-files.ts';

/**
 * Minifies the browser's scripts again, with terser. After brotli this saves 4 kB of React and React Router that esbuild
 * leaves in. The scripts have no source maps.
 *
 * @returns the same files with the scripts replaced.
 */
export async function minifyScripts(files: readonly OutputFile[]): Promise<OutputFile[]> {
  const byPath = new Map(files.map(file => [file.path, file]));
  for (const { path, contents } of files) {
    if (!/^client\/assets\/.*\.js$/.test(path)) continue;
    const { code } = await minify(text(contents), {
      module: true,
      ecma: 2020,
      // Methods and arrows in place of function expressions: only `new` or `prototype` on one would notice. React uses these on one alone, to find the line
      // of a class component for the stack of an error, and then names the component without its line.
      compress: { ecma: 2020, passes: 3, unsafe_methods: true, unsafe_arrows: true },
      format: { comments: false },
    });
    if (code !== undefined) byPath.set(path, { path, contents: Buffer.from(code) });
  }
  return [...byPath.values()];
}

function text(contents: Uint8Array): string {
  return Buffer.from(contents).toString('utf8');
}
