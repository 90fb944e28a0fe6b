import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
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

/**
 * Requests spread evenly over each second. autocannon's rate is a burst at the start of each second, with all connections
 * at full speed until it is used up: its p99 is one of the highest load, whatever the rate.
 *
 * A request's time counts from when it was due, so that a server that stalls is not spared those that wait for it.
 */
export async function steadyLoad(options: SteadyLoadOptions): Promise<SteadyLoadResult> {
  const { url, path, headers, perSecond, seconds } = options;
  const { hostname, port, host } = new URL(url);
  const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`;
  const times: number[] = [];
  let errors = 0;
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.setNoDelay(true);
      return client(socket, request, (dueAt, status) => {
        times.push(performance.now() - dueAt);
        if (status !== 200) errors += 1;
      });
    }),
  );
  const startedAt = performance.now();
  let sent = 0;
  for (;;) {
    const elapsed = performance.now() - startedAt;
    const due = Math.min(elapsed / 1_000, seconds) * perSecond;
    for (; sent < due; sent += 1)
      clients[sent % clients.length]?.send(startedAt + (sent / perSecond) * 1_000);
    if (elapsed >= seconds * 1_000) break;
    await delay(1);
  }
  const patience = performance.now() + 5_000;
  while (times.length < sent && performance.now() < patience) await delay(5);
  for (const { end } of clients) end();
  times.sort((a, b) => a - b);
  return {
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    perSecond: times.length / seconds,
    errors: errors + sent - times.length,
  };
}

/** One connection: requests that are due while one is under way wait their turn. */
function client(socket: Socket, request: string, onAnswer: (dueAt: number, status: number) => void) {
  const waiting: number[] = [];
  let current: number | null = null;
  let head = '';
  let left: number | null = null;

  function next(): void {
    const dueAt = waiting.shift();
    current = dueAt ?? null;
    if (dueAt !== undefined) socket.write(request);
  }

  socket.on('data', (chunk: Buffer) => {
    let bytes = chunk.byteLength;
    if (left === null) {
      const before = head.length;
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      bytes -= end + 4 - before;
    }
    left -= bytes;
    if (left > 0 || current === null) return;
    const answered = current;
    const status = Number(head.slice(9, 12));
    head = '';
    left = null;
    next();
    onAnswer(answered, status);
  });
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
