import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../output-files.ts';
import { cmsFolder } from './strapi.ts';

/** `what` names the packages and their size. */
export function installIfStale(
  folder = cmsFolder,
  what = 'the packages of the CMS: about 750 MB, a minute or two',
): void {
  const stampFile = path.join(folder, 'node_modules', '.installed-from');
  const stamp = stampOf(folder, ['package-lock.json']);
  if (readText(stampFile) === stamp) return;
  console.log(`Installing ${what} …`);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { npm_execpath: npm } = process.env;
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: folder, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0)
    throw new Error(`npm ci has failed in ${path.relative(projectRoot, folder)}/. Its own message is above.`);
  writeFileSync(stampFile, stamp);
}

const PROGRESS_EVERY_MS = 10_000;

export async function buildPanelIfStale(): Promise<void> {
  const stampFile = path.join(cmsFolder, 'build', '.built-from');
  const own = readdirSync(path.join(cmsFolder, 'src/site/panel')).map(name => `src/site/panel/${name}`);
  const stamp = stampOf(cmsFolder, ['package-lock.json', 'src/admin/app.mjs', 'src/site/types.json', ...own]);
  if (readText(stampFile) === stamp) return;
  console.log('Building the admin panel: a minute or two, and 2 GB of memory …');
  const begun = performance.now();
  const progress = setInterval(() => {
    console.log(`  still building: ${Math.round((performance.now() - begun) / 1_000)} s`);
  }, PROGRESS_EVERY_MS);
  const building = spawn(process.execPath, [path.join(cmsFolder, 'build-panel.js')], {
    cwd: cmsFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [status] = await once(building, 'exit').finally(() => clearInterval(progress));
  if (status !== 0) throw new Error('The admin panel could not be built. The message above says why.');
  writeFileSync(stampFile, stamp);
}

function stampOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readText(path.join(folder, file)) ?? '').update('\0');
  return `${hash.digest('hex')} ${process.platform} ${process.arch}\n`;
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
