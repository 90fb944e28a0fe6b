import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { DIST_DIR } from './start-site.ts';

export interface SecondBuild {
  distDir: string;
  id: string;
  remove(): Promise<void>;
}

/** Names of scripts and stylesheets in a build. */
const HASHED = /([\w-]+)-([A-Z0-9]{8})\.(js|css)/g;

/**
 * Copies the project's build to a folder as the next build. The copy has another id and other names for all
 * scripts and styles.
 */
export async function makeSecondBuild(label = 'second'): Promise<SecondBuild> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'build-'));
  const distDir = path.join(folder, 'dist');
  // Compressed files would still hold the old names, and the server works without them.
  await cp(DIST_DIR, distDir, { recursive: true, filter: source => !/\.(?:br|gz|map|txt)$/.test(source) });
  const assets = path.join(distDir, 'client/assets');
  for (const name of await readdir(assets)) {
    const file = path.join(assets, name);
    if (!/\.(?:js|css)$/.test(name)) continue;
    await writeFile(file, renamed(await readFile(file, 'utf8'), label));
    await rename(file, path.join(assets, renamed(name, label)));
  }
  const manifestFile = path.join(distDir, 'manifest.json');
  const manifest: BuildManifest = JSON.parse(renamed(await readFile(manifestFile, 'utf8'), label));
  const id = hash(label + manifest.id).slice(0, 16);
  await writeFile(manifestFile, JSON.stringify({ ...manifest, id, timestamp: manifest.timestamp + 1 }));
  return { distDir, id, remove: () => rm(folder, { recursive: true, force: true }) };
}

function renamed(text: string, label: string): string {
  return text.replace(HASHED, (_whole, name: string, old: string, extension: string) => {
    return `${name}-${hash(label + old)
      .slice(0, 8)
      .toUpperCase()}.${extension}`;
  });
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
