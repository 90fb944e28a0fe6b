import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { askAnyway } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { cpuMs, SERVER_CORE } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';

const LIMIT_MS = 30_000;
export const MAIN = path.resolve(import.meta.dirname, '../../dist/server/main.js');
const BARE = `require('node:http').createServer((_req, res) => res.end('page')).listen(process.env.PORT, '127.0.0.1')`;

interface Start {
  ms: number;
  cpu: number;
}

/**
 * Measures the time from the start of the process to its first page, with an empty data folder. A bare
 * `node:http` server is measured in turns with it. All threads of the server share its core.
 */
export async function measureStart(sizes: BenchSizes, report: Report): Promise<void> {
  // The fake backend answers at once.
  const backend = await startFaultyBackend(20);
  const servers = {
    bare: { args: ['--eval', BARE], env: {} },
    external: { args: [MAIN], env: { CONTENT_BASE_URL: backend.url } },
    embedded: { args: [MAIN], env: { CONTENT: 'embedded' } },
  };
  const starts: Record<keyof typeof servers, Start[]> = { bare: [], external: [], embedded: [] };
  try {
    for (let round = 0; round < sizes.starts; round += 1) {
      for (const kind of ['bare', 'external', 'embedded'] as const)
        starts[kind].push(await firstPage(servers[kind]));
    }
  } finally {
    await backend.close();
  }
  const bare = summary(starts.bare);
  for (const [kind, atMost] of [
    ['external', 2.5],
    ['embedded', 4],
  ] as const) {
    const site = summary(starts[kind]);
    report({
      name: `first 200 after the start, ${kind} backend${kind === 'external' ? ' of 0 ms' : ''}`,
      value: site.ms / bare.ms,
      unit: '× bare',
      target: { atMost },
      errors: 0,
      note: `${site.text}; bare ${bare.text}: CPU ${(site.cpu / bare.cpu).toFixed(1)} × bare`,
      details: { starts: starts[kind], bareStarts: starts.bare },
    });
  }
}

function summary(starts: readonly Start[]): Start & { text: string } {
  const times = starts.map(({ ms }) => ms);
  const [ms, cpu] = [median(times), median(starts.map(start => start.cpu))];
  const range = `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}`;
  return { ms, cpu, text: `${ms.toFixed(0)} ms (${range}), CPU ${cpu.toFixed(0)} ms` };
}

/** Starts a server and requests its first page until the answer is a 200. */
export async function firstPage({ args, env }: { args: readonly string[]; env: object }): Promise<Start> {
  const [port, dataDir] = [await freePort(), await mkdtemp(path.join(os.tmpdir(), 'start-'))];
  const pinned = SERVER_CORE === undefined ? [] : ['taskset', '-c', String(SERVER_CORE)];
  const [command = '', ...rest] = [...pinned, process.execPath, ...args];
  const from = performance.now();
  const child = spawn(command, rest, {
    cwd: dataDir,
    env: {
      ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), OPS_PORT: '0' },
      ...{ DATA_DIR: dataDir, ...env },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    while ((await askAnyway(`http://127.0.0.1:${port}`, '/')).status !== 200) {
      if (performance.now() - from > LIMIT_MS || child.exitCode !== null)
        throw new Error('The server has no first page');
      await delay(1);
    }
    return { ms: performance.now() - from, cpu: cpuMs(child.pid ?? 0) ?? 0 };
  } finally {
    child.kill('SIGKILL');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free');
  return address.port;
}
