import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface SteadyLoadOptions {
  url: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  perSecond: number;
  seconds: number;
}

export interface SteadyLoadResult {
  p99Ms: number;
  perSecond: number;
  errors: number;
}

const CONNECTIONS = 50;
const READ_BYTES = 64 * 1024;
/** Of each run, in ms: connections are opened, and what was due meanwhile is caught up with. */
const NOT_COUNTED_MS = 500;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Requests spread evenly over each second. autocannon's rate is a burst at the start of each second, with all connections
 * at full speed until it is used up: its p99 is one of the highest load, whatever the rate.
 *
 * A request's time counts from when it was due, so that a server that stalls is not spared those that wait for it. Nothing
 * is allocated for an answer: a collection of garbage here would be a stall of all that is measured.
 */
export async function steadyLoad(options: SteadyLoadOptions): Promise<SteadyLoadResult> {
  const { url, path, headers, perSecond, seconds } = options;
  const { hostname, port, host } = new URL(url);
  const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`);
  const times = new Float64Array(Math.ceil(perSecond * seconds) + CONNECTIONS);
  let answered = 0;
  let counted = 0;
  let countedFrom = Number.POSITIVE_INFINITY;
  let errors = 0;
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      connectClient(Number(port), hostname, request, (dueAt, status) => {
        answered += 1;
        if (status !== 200) errors += 1;
        if (dueAt < countedFrom) return;
        times[counted] = performance.now() - dueAt;
        counted += 1;
      }),
    ),
  );
  const startedAt = performance.now();
  const wholeMs = NOT_COUNTED_MS + seconds * 1_000;
  countedFrom = startedAt + NOT_COUNTED_MS;
  let sent = 0;
  for (;;) {
    const elapsed = performance.now() - startedAt;
    const due = (Math.min(elapsed, wholeMs) / 1_000) * perSecond;
    for (; sent < due; sent += 1)
      clients[sent % clients.length]?.send(startedAt + (sent / perSecond) * 1_000);
    if (elapsed >= wholeMs) break;
    await delay(1);
  }
  const patience = performance.now() + 5_000;
  while (answered < sent && performance.now() < patience) await delay(5);
  for (const { end } of clients) end();
  const sorted = times.subarray(0, counted).sort();
  return {
    p99Ms: sorted[Math.floor(counted * 0.99)] ?? Number.NaN,
    perSecond: counted / seconds,
    errors: errors + sent - answered,
  };
}

/** One connection: requests that are due while one is under way wait their turn. */
async function connectClient(
  port: number,
  hostname: string,
  request: Buffer,
  onAnswer: (dueAt: number, status: number) => void,
) {
  const waiting: number[] = [];
  let current: number | null = null;
  let status = 0;
  /** Of the body; null while the head has not come. */
  let left: number | null = null;

  function next(): void {
    current = waiting.shift() ?? null;
    left = null;
    if (current !== null) socket.write(request);
  }

  function take(bytes: number, chunk: Uint8Array): boolean {
    const read = Buffer.from(chunk.buffer, chunk.byteOffset, bytes);
    let body = bytes;
    if (left === null) {
      // A head is a few hundred bytes, sent at once.
      const end = read.indexOf(HEAD_END);
      if (end < 0) throw new Error('The head of an answer came in two');
      const head = read.toString('latin1', 0, end);
      status = Number(head.slice(9, 12));
      left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      body -= end + HEAD_END.length;
    }
    left -= body;
    if (left > 0 || current === null) return true;
    const dueAt = current;
    next();
    onAnswer(dueAt, status);
    return true;
  }

  const socket = connect({
    port,
    host: hostname,
    noDelay: true,
    onread: { buffer: Buffer.alloc(READ_BYTES), callback: take },
  });
  await once(socket, 'connect');
  // What is missing is counted at the end.
  socket.on('error', () => {});
  return {
    send(dueAt: number) {
      waiting.push(dueAt);
      if (current === null) next();
    },
    end: () => socket.destroy(),
  };
}
