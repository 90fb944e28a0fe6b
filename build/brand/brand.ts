import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Brand } from '../../shared/brand.ts';
import { projectRoot, sha256 } from '../output-files.ts';

/** The folder of the brand, with data alone. Relative paths begin in the project. */
export const brandDir = resolve(projectRoot, process.env.BRAND_DIR || 'site/brand');

/** Reads `brand.ts`. The address has a hash, because `npm run dev` reads an edited file again. */
export async function readBrand(): Promise<Brand> {
  const file = join(brandDir, 'brand.ts');
  const module: { brand: Brand } = await import(`${pathToFileURL(file)}?${sha256(await readFile(file))}`);
  return module.brand;
}
