import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CONNECTIONS, type Sent, type Target } from './raw-load.ts';

const SCRIPT = path.resolve(import.meta.dirname, 'wrk.lua');

/** Whether wrk is installed. Without a URL it prints its usage and its version. */
export const HAS_WRK = spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout?.startsWith('wrk') ?? false;

/** Sends as many requests as a server can answer, by wrk. It inherits the core of this process. */
export async function wrkLoad({ url, paths, headers, seconds }: Target): Promise<Sent> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wrk-'));
  const file = path.join(folder, 'paths.txt');
  try {
    await writeFile(file, paths.join('\n'));
    const fields = Object.entries(headers).flatMap(([name, value]) => [
      '-H',
      // wrk adds the host of its URL, unless a header has exactly this name.
      `${name === 'host' ? 'Host' : name}: ${value}`,
    ]);
    const { stdout } = await promisify(execFile)('wrk', [
      ...['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '--timeout', '10s', '-s', SCRIPT],
      ...[...fields, url, '--', file],
    ]);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
