import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';

/** @throws Error if there is no build. */
export function readBuildManifest(distDir: string): BuildManifest {
  const file = path.join(distDir, 'manifest.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BuildManifest;
  } catch (error) {
    throw new Error(`There is no build to serve: ${file} cannot be read. Run 'npm run build'.`, {
      cause: error,
    });
  }
}
