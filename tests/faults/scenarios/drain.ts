import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltSite, LoggedLine } from '../built-site.ts';
import { ask, keepAlive } from '../client.ts';
import { onStage, type StageSizes, untilNone } from '../stage.ts';

export interface DrainSizes extends StageSizes {
  /** Connections that send the next request right after each response. */
  busy: number;
  idle: number;
  /** Requests that wait for the backend when the signal arrives. */
  slow: number;
  beforeMs: number;
  slowMs: number;
}

export interface DrainOutcome {
  answered: number;
  /** Requests that the process has logged without answering them completely. */
  cut: number;
  /** Slow requests that were answered with 200. */
  slowAnswered: number;
  /** Requests without a response, whose connection was closed before the process read them. */
  unseen: number;
  /** Idle connections that the process closed before its end. */
  idleClosed: number;
  exitCode: number | null;
  exitMs: number;
}

const CALLED_WITHIN_MS = 20_000;

/** Fault 8: the process gets SIGTERM while it is busy. */
export function drain(sizes: DrainSizes): Promise<DrainOutcome> {
  const { busy, idle, slow, beforeMs, slowMs } = sizes;
  // The usual timeout is too short for a busy machine, and does not matter here.
  const env = { CONTENT_TIMEOUT_MS: '9000' };
  return onStage({ ...sizes, unseen: slow }, { env }, async ({ backend, site, seen, unseen }) => {
    const idleSockets = await Promise.all(Array.from({ length: idle }, () => idleConnection(site.url)));
    // The log entry of a request follows shortly after its response.
    await delay(200);
    const linesBefore = requestLines(site).length;
    const received = new Set<string>();
    let failed = 0;
    let isOver = false;
    const busyOnes = Array.from({ length: busy }, async (_, number) => {
      const agent = keepAlive(1);
      for (let index = number; !isOver; index += busy) {
        try {
          const { headers } = await ask(site.url, seen[index % seen.length] ?? '/', { agent });
          received.add(String(headers['x-request-id']));
        } catch (error) {
          // A refused connection carries no request.
          if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') break;
          failed += 1;
        }
      }
      agent.destroy();
    });
    await delay(beforeMs);
    backend.latencyMs = slowMs;
    const slowOnes = unseen.map(async path => {
      const { status, headers } = await ask(site.url, path);
      received.add(String(headers['x-request-id']));
      return status;
    });
    // The signal comes after the process has called the backend for all slow requests.
    const { left } = await untilNone(async () => {
      const calls = [...backend.calls.keys()];
      return unseen.filter(path => !calls.some(call => call.includes(`[$eq]=${path.split('/').at(-1)}&`)))
        .length;
    }, CALLED_WITHIN_MS);
    if (left > 0) throw new Error(`${left} slow requests did not reach the backend`);
    const closed = { idle: 0 };
    for (const socket of idleSockets)
      socket.once('close', () => {
        closed.idle += 1;
      });
    const ended = site.end('SIGTERM');
    const slowStatuses = await Promise.allSettled(slowOnes);
    const idleClosed = closed.idle;
    const { code, ms } = await ended;
    isOver = true;
    await Promise.all(busyOnes);
    const logged = requestLines(site).slice(linesBefore);
    return {
      answered: received.size,
      cut: logged.filter(({ id }) => !received.has(String(id))).length,
      slowAnswered: slowStatuses.filter(result => result.status === 'fulfilled' && result.value === 200)
        .length,
      unseen: failed,
      idleClosed,
      exitCode: code,
      exitMs: ms,
    };
  });
}

const IDLE_PATH = '/builds/latest.json';

function requestLines(site: BuiltSite): LoggedLine[] {
  return site.lines().filter(({ code, path }) => code === 'http-request' && path !== IDLE_PATH);
}

async function idleConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`GET ${IDLE_PATH} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}
