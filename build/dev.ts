import './end-with-parent.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { context } from 'esbuild';
import { watchFolders } from '../server/embedded-cms/watch-folders.ts';
import { writeBlockViews } from './block-views.ts';
import { describeFailure } from './build-error.ts';
import { compileSite } from './build-site.ts';
import { clientBundle, serverBundle } from './bundles/bundles.ts';
import { brandDir, projectRoot, writeFiles } from './output-files.ts';

/** `npm run dev`: builds into `dist-dev` and serves it, after each save. Open pages reload. */

const DIST = join(projectRoot, 'dist-dev');
const WATCHED = ['server', 'client', 'shared', 'site', brandDir];
/** The pause before a build, in ms, because editors and formatters write files in steps. */
const SETTLE_MS = 25;
/** The time for the old server to end, in ms. Connections to open pages would keep it running. */
const STOP_MS = 50;

// Build without esbuild's watch mode, which polls and may be 2 s late.
const [client, server] = await Promise.all([
  context(clientBundle('development')),
  context(serverBundle('development')),
]);

let serverProcess: ChildProcess | null = null;
let servedBuild = '';
let written = new Set<string>();
let changed = false;
let building = false;

let ending = false;

process.on('SIGINT', () => void end());
process.on('SIGTERM', () => void end());
process.once('exit', () => serverProcess?.kill('SIGKILL'));

await rm(DIST, { recursive: true, force: true });
await watchFolders(
  WATCHED.map(folder => resolve(projectRoot, folder)),
  () => void rebuild(),
);
await rebuild();

/** Builds the site. A call during a build starts a further build at its end. */
async function rebuild(): Promise<void> {
  changed = true;
  if (building || ending) return;
  building = true;
  while (changed) {
    await delay(SETTLE_MS);
    changed = false;
    try {
      await buildAndServe();
    } catch (error) {
      console.error(await describeFailure(error));
      if (serverProcess) console.error('The server still serves the last good build.');
    }
  }
  building = false;
}

async function buildAndServe(): Promise<void> {
  const started = performance.now();
  await writeBlockViews();
  const { manifest, files } = await compileSite('development', {
    client: () => client.rebuild(),
    server: () => server.rebuild(),
  });
  if (manifest.id === servedBuild && serverProcess) {
    console.log(`Still build ${manifest.id}: the saved change does not affect it`);
    return;
  }

  // Skip existing scripts, whose names contain a hash.
  await writeFiles(
    DIST,
    files.filter(file => !(file.path.startsWith('client/assets/') && written.has(file.path))),
  );
  const current = new Set(files.map(file => file.path));
  await Promise.all(
    [...written].filter(path => !current.has(path)).map(path => rm(join(DIST, path), { force: true })),
  );
  written = current;

  await stopServer();
  if (ending) return;
  startServer();
  servedBuild = manifest.id;
  console.log(`Built ${manifest.id} in ${Math.round(performance.now() - started)} ms`);
}

function startServer(): void {
  // Let the server watch its parent, because this process may be killed.
  const endsWithParent = import.meta.resolve('./end-with-parent.ts');
  const args = ['--enable-source-maps', `--import=${endsWithParent}`, join(DIST, 'server/site.js')];
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, DEV_RELOAD: 'on', npm_lifecycle_event: 'dev' },
  });
  child.once('exit', (code, signal) => {
    if (serverProcess !== child || ending) return;
    serverProcess = null;
    console.error(
      `The server has ended (${signal ?? `exit code ${code}`}). The next change starts it again.`,
    );
  });
  serverProcess = child;
}

async function stopServer(): Promise<void> {
  const child = serverProcess;
  if (!child) return;
  // Clear the variable first, so that the exit listener does not report this end.
  serverProcess = null;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, delay(STOP_MS)]);
  child.kill('SIGKILL');
  await ended;
}

/** Waits until the server has finished open requests. Ctrl-C sends several signals; the first counts. */
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  if (serverProcess) {
    const ended = once(serverProcess, 'exit');
    serverProcess.kill('SIGTERM');
    await ended;
  }
  process.exit(0);
}
