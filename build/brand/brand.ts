import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { Brand } from '../../shared/brand.ts';
import { brandDir } from '../output-files.ts';

/** Imports `brand.ts`. Its URL has a hash: without one, Node would not load an edited file again. */
export async function readBrand(): Promise<Brand> {
  const file = join(brandDir, 'brand.ts');
  const module: { brand: Brand } = await import(
    `${pathToFileURL(file)}?${hash('sha256', await readFile(file))}`
  );
  return module.brand;
}

/** Resolves imports of `site/brand/` to the files of the chosen brand. */
export function chosenBrand(): Plugin {
  return {
    name: 'chosen-brand',
    setup(build) {
      build.onResolve({ filter: /\/brand\/(?:brand\.ts|logo\.svg)$/ }, ({ path, kind }) =>
        kind === 'import-statement' ? { path: join(brandDir, path.slice(path.lastIndexOf('/'))) } : null,
      );
    },
  };
}
