import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cmsFolder } from './cms-folder.ts';

/** Installs the packages of the CMS if they are missing or stale. No package runs a script: none has to be compiled. */
export function installIfStale(): void {
  const stampFile = path.join(cmsFolder, 'node_modules', '.installed-from');
  const stamp = stampOf(['package-lock.json']);
  if (readText(stampFile) === stamp) return;
  console.log('Installing the packages of the CMS: about 750 MB, a minute or two …');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { npm_execpath: npm } = process.env;
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: cmsFolder, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: cmsFolder, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci has failed in cms/. Its own message is above.');
  writeFileSync(stampFile, stamp);
}

/** Builds the admin panel if it is missing or was built from other packages. This takes a minute or two and 2 GB of memory. */
export function buildPanelIfStale(): void {
  const stampFile = path.join(cmsFolder, 'build', '.built-from');
  const stamp = stampOf(['package-lock.json', 'src/admin/app.js']);
  if (readText(stampFile) === stamp) return;
  console.log('Building the admin panel: a minute or two, and 2 GB of memory …');
  const { status } = spawnSync(process.execPath, [path.join(cmsFolder, 'build-panel.js')], {
    cwd: cmsFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error('The admin panel could not be built. The message above says why.');
  writeFileSync(stampFile, stamp);
}

function stampOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readText(path.join(cmsFolder, file)) ?? '').update('\0');
  return `${hash.digest('hex')} ${process.platform} ${process.arch}\n`;
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
