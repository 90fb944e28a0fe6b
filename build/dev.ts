import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { context } from 'esbuild';
import { describeFailure } from './build-error.ts';
import { compileSite } from './build-site.ts';
import { clientBundle, serverBundle } from './bundles.ts';
import { projectRoot, writeFiles } from './output-files.ts';
import { watchFolders } from './watch-folders.ts';

/**
 * `npm run dev`: builds into `dist-dev`, serves that, and does both again after each saved file. It is the same server
 * and the same `createApp` as in production; the page reloads itself when the server says so (`/builds/changes`).
 */

const DIST = join(projectRoot, 'dist-dev');
const WATCHED = ['server', 'client', 'shared'];
/** Editors write a file in several steps, and a formatter writes it once more. */
const SETTLE_MS = 25;
/** How long the old server has to close its files; its connections to open pages would otherwise keep it for longer. */
const STOP_MS = 50;

// esbuild's own watching looks at files in turns and may notice a change only after 2 s: the system tells us at once.
const [client, server] = await Promise.all([
  context(clientBundle('development')),
  context(serverBundle('development')),
]);

let serverProcess: ChildProcess | null = null;
let servedBuild = '';
let written = new Set<string>();
let changed = false;
let building = false;

process.once('SIGINT', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
process.once('exit', () => serverProcess?.kill('SIGKILL'));

await rm(DIST, { recursive: true, force: true });
await watchFolders(
  WATCHED.map(folder => join(projectRoot, folder)),
  () => void rebuild(),
);
await rebuild();

/** Builds and serves what is in the sources now. A call during a build makes it run once more at its end. */
async function rebuild(): Promise<void> {
  changed = true;
  if (building) return;
  building = true;
  while (changed) {
    await delay(SETTLE_MS);
    changed = false;
    try {
      await buildAndServe();
    } catch (error) {
      console.error(await describeFailure(error));
      if (serverProcess) console.error('The last good build is still being served.');
    }
  }
  building = false;
}

async function buildAndServe(): Promise<void> {
  const started = performance.now();
  const { manifest, files } = await compileSite('development', {
    client: () => client.rebuild(),
    server: () => server.rebuild(),
  });
  if (manifest.id === servedBuild && serverProcess) {
    console.log(`Still build ${manifest.id}: what was saved changes nothing in it`);
    return;
  }

  // Script names carry a hash, so one that is there already is the same.
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
  startServer();
  servedBuild = manifest.id;
  console.log(`Built ${manifest.id} in ${Math.round(performance.now() - started)} ms`);
}

function startServer(): void {
  const child = spawn(process.execPath, ['--enable-source-maps', join(DIST, 'server/main.js')], {
    stdio: 'inherit',
    env: { ...process.env, DEV_RELOAD: 'on' },
  });
  child.once('exit', (code, signal) => {
    if (serverProcess !== child) return;
    serverProcess = null;
    console.error(
      `The server has ended (${signal ?? `exit code ${code}`}). It is started again after the next change.`,
    );
  });
  serverProcess = child;
}

async function stopServer(): Promise<void> {
  const child = serverProcess;
  if (!child) return;
  // Forgotten first: this end is no news.
  serverProcess = null;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, delay(STOP_MS)]);
  child.kill('SIGKILL');
  await ended;
}
