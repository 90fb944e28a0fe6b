import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogCode } from '../../server/ops/log-codes.ts';
import { ALLOCATOR, NODE_FLAGS } from '../../server/ops/process/memory.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { patient } from '../support/patience.ts';

const MAIN = path.resolve(import.meta.dirname, '../../dist/server/main.js');
const START_LIMIT_MS = 15_000;

/** A decoded log entry. */
export type LoggedLine = Record<string, unknown> & { level: string; code: LogCode; msg: string };

export interface BuiltSite {
  readonly url: string;
  readonly opsUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** @returns the log entries so far. */
  lines(): LoggedLine[];
  /** @returns the output on standard error so far. */
  errors(): string;
  /** @returns the sum of a metric over all its labels. */
  metric(name: string): Promise<number>;
  /** Sends a signal. @returns how the process ended, and after how many ms. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }>;
  /** Kills the process if it is still running, and removes its files. */
  dispose(): Promise<void>;
}

export interface BuiltSiteOptions {
  contentBaseUrl?: string;
  env?: Readonly<Record<string, string>>;
  /**
   * Data folder to use, which `dispose` keeps. By default the site gets a new folder, which `dispose`
   * removes.
   */
  dataDir?: string;
  /** Additional arguments for Node. */
  nodeArguments?: readonly string[];
  /** Id of the user who runs the process. */
  uid?: number;
  /** Files that the process may have open, connections included. */
  openFiles?: number;
  /** Processor core to run on. Needs `taskset`. */
  core?: number;
  /** Server file. The default is that of the project's build. */
  main?: string;
  /** Whether the promise resolves as soon as the server listens, before it is ready. */
  unready?: boolean;
}

/** Starts the built server in a separate process, on free ports. Its log is written to a file. */
export async function startBuiltSite({
  contentBaseUrl,
  env = {},
  dataDir,
  nodeArguments = [],
  uid,
  openFiles,
  core,
  main = MAIN,
  unready = false,
}: BuiltSiteOptions): Promise<BuiltSite> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'built-site-'));
  const files = { log: path.join(folder, 'access.log'), errors: path.join(folder, 'errors.log') };
  const descriptors = [openSync(files.log, 'a'), openSync(files.errors, 'a')] as const;
  // With these flags the server does not restart itself, so that a debugger or preloaded module starts once.
  // The variables that a restart would set are therefore set here.
  const isPreloaded = nodeArguments.some(argument => /^--(?:import|inspect)/.test(argument));
  const command = [
    ...(openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh']),
    ...(core === undefined ? [] : ['taskset', '-c', String(core)]),
    process.execPath,
    ...(isPreloaded ? NODE_FLAGS : []),
    ...nodeArguments,
    main,
  ];
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: folder,
    env: {
      ...(isPreloaded ? ALLOCATOR : {}),
      PATH: process.env.PATH,
      PORT: '0',
      OPS_PORT: '0',
      HOST: '127.0.0.1',
      ...(env.PUBLIC_URL && env.PUBLIC_URL !== 'any' ? { ALLOWED_HOSTS: '127.0.0.1' } : {}),
      DATA_DIR: dataDir ?? path.join(folder, 'data'),
      ...(contentBaseUrl
        ? { CONTENT_BASE_URL: contentBaseUrl }
        : main === MAIN
          ? { CONTENT_DIR: FIXTURE_CONTENT }
          : {}),
      ACCESS_LOG_LINES: '0',
      // Warming would load content that no test has requested.
      CONTENT_WARM: '0',
      // Longer than the default, because a busy machine may delay the test's backend.
      CONTENT_TIMEOUT_MS: '20000',
      ...env,
    },
    stdio: ['ignore', ...descriptors],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  for (const descriptor of descriptors) closeSync(descriptor);
  const ended = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  const lines = () =>
    readFileSync(files.log, 'utf8')
      .split('\n')
      .filter(line => line.startsWith('{') && line.endsWith('}'))
      .map(line => JSON.parse(line) as LoggedLine);
  const errors = () => readFileSync(files.errors, 'utf8');

  async function dispose(): Promise<void> {
    if (isRunning()) child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }

  async function listening(): Promise<{ url: string; opsUrl: string }> {
    const deadline = performance.now() + patient(START_LIMIT_MS);
    for (;;) {
      const line = lines().find(({ code }) => code === 'start-listening');
      if (line) {
        const { site, ops } = line as unknown as Record<'site' | 'ops', { port: number }>;
        return { url: `http://127.0.0.1:${site.port}`, opsUrl: `http://127.0.0.1:${ops.port}` };
      }
      if (!isRunning() || performance.now() > deadline)
        throw new Error(`The server does not listen: ${readFileSync(files.log, 'utf8')} ${errors()}`);
      await delay(5);
    }
  }

  try {
    const addresses = await listening();
    const deadline = performance.now() + patient(START_LIMIT_MS);
    while (!unready && (await fetch(`${addresses.opsUrl}/readyz`)).status !== 200) {
      if (performance.now() > deadline) throw new Error('The server does not become ready');
      await delay(10);
    }
    return {
      ...addresses,
      dataDir: dataDir ?? path.join(folder, 'data'),
      pid: child.pid ?? 0,
      child,
      lines,
      errors,
      async metric(name) {
        const text = await (await fetch(`${addresses.opsUrl}/metrics`)).text();
        const samples = text
          .split('\n')
          .filter(line => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
        if (samples.length === 0) throw new Error(`There is no metric ${name}`);
        return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
      },
      async end(signal) {
        const from = performance.now();
        child.kill(signal);
        await ended;
        return { code: child.exitCode, ms: performance.now() - from };
      },
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
