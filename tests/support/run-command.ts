import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eventually } from './eventually.ts';
import { FIXTURE_CONTENT } from './fixture.ts';
import type { LogLine } from './start-site.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A copy of the project for a test that must not disturb it. */
export interface ProjectCopy {
  folder: string;
  remove(): Promise<void>;
}

/** Copies everything that `npm run dev` needs. @param more further paths */
export async function copyProject(more: readonly string[] = []): Promise<ProjectCopy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'project-'));
  const parts = ['server', 'client', 'shared', 'site', 'build'];
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'esbuild.config.mjs'];
  await Promise.all(
    [...parts, ...files, ...more].map(name =>
      cp(path.join(ROOT, name), path.join(folder, name), { recursive: true }),
    ),
  );
  await cp(FIXTURE_CONTENT, path.join(folder, 'content'), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A command that serves the site. */
export interface RunningCommand {
  /** Process of the command: npm itself, unless the test starts another. */
  child: ChildProcess;
  url: string;
  opsUrl: string;
  /** @returns everything that the command has printed. */
  output(): string;
  lines(): LogLine[];
  /** Kills the whole process group of the command, and removes the data folder. */
  dispose(): Promise<void>;
}

/**
 * Runs a command that serves the site, such as `npm start`, on free ports, until the site can answer.
 * @param cwd the project, or a copy of it
 */
export async function runCommand(
  [command = '', ...args]: readonly string[],
  { cwd = ROOT, env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<RunningCommand> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'script-'));
  const { PATH, HOME } = process.env;
  // A separate process group leaves no process behind when the test fails.
  const child = spawn(command, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, PORT: '0', OPS_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output += chunk;
    });
  const lines = () =>
    output
      .split('\n')
      .filter(line => line.startsWith('{') && line.endsWith('}'))
      .map(line => JSON.parse(line) as LogLine);

  async function dispose(): Promise<void> {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The whole group has ended.
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }

  try {
    const listening = await eventually(() => {
      const line = lines().find(({ code }) => code === 'start-listening');
      if (!line) throw new Error(`${command} does not serve the site: ${output}`);
      return line as unknown as Record<'site' | 'ops', { port: number }>;
    }, 60_000);
    const [url, opsUrl] = [listening.site, listening.ops].map(({ port }) => `http://127.0.0.1:${port}`);
    await eventually(async () => {
      const { status } = await fetch(`${opsUrl}/readyz`);
      if (status !== 200) throw new Error(`/readyz answers ${status}`);
    });
    return { child, url: url ?? '', opsUrl: opsUrl ?? '', output: () => output, lines, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
