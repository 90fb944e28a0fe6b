import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { inFull, some } from '../support/in-full.ts';
import { openRaw } from '../support/raw-connection.ts';
import { sendRequest } from '../support/send-request.ts';
import type { LogLine } from '../support/start-site.ts';

/** A site in a separate process, whose log is read only when the test reads it. */
interface UnreadSite {
  child: ChildProcess;
  url: string;
  opsUrl: string;
  /** Reads everything written so far. @returns all log entries so far. */
  read(): LogLine[];
}

const disposals: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const dispose of disposals) await dispose();
});

/** Kind of standard output. Node gives a child process a socket, and a shell gives it a pipe. */
type Output = 'a pipe' | 'a socket';

async function startUnread(output: Output): Promise<UnreadSite> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'log-reader-'));
  const pipe = path.join(folder, 'log');
  execFileSync('mkfifo', [pipe]);
  // On Linux a process may open both ends of a pipe, so neither end waits for the other.
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const child = spawn(process.execPath, [path.resolve('dist/server/main.js')], {
    cwd: folder,
    // Outside production the greeting opens Node's own stream, which changes how standard output is
    // written.
    env: {
      ...{ PORT: '0', OPS_PORT: '0', HOST: '127.0.0.1', DATA_DIR: path.join(folder, 'data') },
      ...{ NODE_ENV: 'production', CONTENT_DIR: FIXTURE_CONTENT, PUBLIC_URL: 'any', ACCESS_LOG_LINES: '0' },
    },
    stdio: ['ignore', output === 'a pipe' ? openSync(pipe, constants.O_WRONLY) : 'pipe', 'inherit'],
  });
  disposals.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    closeSync(end);
    await rm(folder, { recursive: true, force: true });
  });
  let text = '';
  const take = () => (child.stdout ? child.stdout.read() : readAvailable(end)) as Buffer | null;
  const read = () => {
    for (let part = take(); part !== null; part = take()) text += part;
    return (
      text
        .split('\n')
        // The last entry may be incomplete.
        .slice(0, -1)
        .filter(line => line.startsWith('{'))
        .map(line => JSON.parse(line) as LogLine)
    );
  };
  const { site, ops } = await eventually(() => {
    const line = read().find(({ code }) => code === 'start-listening');
    if (!line) throw new Error(`The site does not listen: ${text}`);
    return line as unknown as Record<'site' | 'ops', { port: number }>;
  });
  const opsUrl = `http://127.0.0.1:${ops.port}`;
  await eventually(async () => expect((await sendRequest(opsUrl, '/readyz')).status).toBe(200));
  return { child, url: `http://127.0.0.1:${site.port}`, opsUrl, read };
}

function readAvailable(end: number): Buffer | null {
  const buffer = Buffer.alloc(64 * 1024);
  try {
    return buffer.subarray(0, readSync(end, buffer));
  } catch {
    return null;
  }
}

/** Sends sequential requests on one connection, and waits for all responses. */
async function ask({ url }: UnreadSite, requests: number, address: string): Promise<void> {
  const one = `HEAD ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const connection = await openRaw(url, one.repeat(requests));
  expect((await connection.answers(requests)).filter(status => status === 200)).toHaveLength(requests);
  connection.socket.destroy();
}

async function droppedLines({ opsUrl }: UnreadSite): Promise<number> {
  const { text } = await sendRequest(opsUrl, '/metrics');
  return Number(/^site_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

const DROPPED = 'log-entries-dropped';

describe.each(some<Output>(['a pipe', 'a socket'], 1))('a log that is %s', output => {
  it('an unread log does not stop the site, and its reader later learns how many entries were dropped', async () => {
    const site = await startUnread(output);
    await ask(site, 2_000, '/about');
    expect((await sendRequest(site.opsUrl, '/healthz')).status).toBe(200);
    const dropped = await droppedLines(site);
    expect(dropped).toBeGreaterThan(0);

    const told = () => site.read().filter(({ code }) => code === DROPPED);
    await eventually(() => expect(told()).toEqual([expect.objectContaining({ level: 'warn', dropped })]));
    await ask(site, 100, '/about?again');
    const lines = () => site.read().filter(({ method }) => method === 'HEAD').length;
    await eventually(() => expect(lines()).toBe(2_000 - dropped + 100));
    expect(await droppedLines(site)).toBe(dropped);

    // The reader stops once more, and the process still exits.
    await ask(site, 2_000, '/about');
    site.child.kill('SIGTERM');
    expect(await once(site.child, 'exit')).toEqual([0, null]);
  });

  // The short form runs the rest only for a pipe, because containers use pipes.
  if (!inFull && output !== 'a pipe') return;

  it('a log with a reader is complete when the process exits', async () => {
    const site = await startUnread(output);
    await ask(site, 1_000, '/about');
    const ended = once(site.child, 'exit');
    site.child.kill('SIGTERM');
    const reading = setInterval(() => site.read(), 5);
    expect(await ended).toEqual([0, null]);
    clearInterval(reading);
    const lines = site.read();
    expect(lines.filter(({ method }) => method === 'HEAD')).toHaveLength(1_000);
    expect(lines.at(-1)?.code).toBe('stop-done');
  });
});
