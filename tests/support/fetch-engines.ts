// npm run engines
//
// Fetches the programs that tests start and this machine lacks.
// They are Redis, nginx, Varnish, Caddy, Prometheus with promtool, and systemd-analyze.

import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ENGINE_NAMES, ENGINES_DIR, findEngine, packagesOf, UNPACKED } from './engines.ts';

const archives = path.join(ENGINES_DIR, 'archives');
const lists = path.join(ENGINES_DIR, 'lists');
// Separate package lists, so that neither root rights nor a change of the system is needed.
const APT_OPTIONS = [
  `Dir::Cache::archives=${archives}`,
  `Dir::Cache::pkgcache=`,
  `Dir::Cache::srcpkgcache=`,
  `Dir::State::lists=${lists}`,
  'Debug::NoLocking=true',
  'APT::Sandbox::User=',
].flatMap(option => ['-o', option]);

/** Runs a program. @throws with its messages when it fails. */
function run(command: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  if (error) throw new Error(`${command} is missing. Install the servers by hand: ${missing.join(', ')}`);
  throw new Error(`${command} ${args[0]} has failed: ${stderr || stdout}`);
}

const missing = ENGINE_NAMES.filter(name => !findEngine(name));
if (missing.length > 0) {
  for (const folder of [path.join(archives, 'partial'), path.join(lists, 'partial'), UNPACKED])
    mkdirSync(folder, { recursive: true });
  run('apt-get', ['update', ...APT_OPTIONS]);
  // Missing packages are downloaded with the libraries that they need and this machine lacks.
  run('apt-get', [
    ...['install', '--download-only', '--yes', '--no-install-recommends', ...APT_OPTIONS],
    ...missing.flatMap(packagesOf),
  ]);
  for (const file of globSync('*.deb', { cwd: archives }))
    run('dpkg-deb', ['-x', path.join(archives, file), UNPACKED]);
  for (const folder of [archives, lists]) rmSync(folder, { recursive: true });
}
for (const name of ENGINE_NAMES) {
  const engine = findEngine(name);
  // Without the libraries that were unpacked beside it, a program does not start by hand.
  const libraries = engine?.env.LD_LIBRARY_PATH;
  console.log(`${name}: ${libraries ? `LD_LIBRARY_PATH=${libraries} ` : ''}${engine?.command ?? 'missing'}`);
  if (!engine) process.exitCode = 1;
}
