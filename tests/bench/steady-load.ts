import { setTimeout as delay } from 'node:timers/promises';
import { openConnection, requestFor } from './connection.ts';

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
/** Milliseconds at the beginning of a run that do not count, because connections are still opened. */
const NOT_COUNTED_MS = 500;

/**
 * Sends requests at even intervals, even while earlier ones are unanswered. A generator that waits for
 * answers sends fewer requests to a slow server, and hides its latencies.
 *
 * The time of a request counts from its due moment. A stalled server therefore slows down all requests due
 * meanwhile.
 */
export async function steadyLoad(options: SteadyLoadOptions): Promise<SteadyLoadResult> {
  const { url, path, headers, perSecond, seconds } = options;
  const request = requestFor(url, { path, headers });
  const times = new Float64Array(Math.ceil(perSecond * seconds) + CONNECTIONS);
  let answered = 0;
  let counted = 0;
  let countedFrom = Number.POSITIVE_INFINITY;
  let errors = 0;
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      openClient(url, request, (dueAt, status) => {
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
  const deadline = performance.now() + 5_000;
  while (answered < sent && performance.now() < deadline) await delay(5);
  for (const { end } of clients) end();
  const sorted = times.subarray(0, counted).sort();
  return {
    p99Ms: sorted[Math.floor(counted * 0.99)] ?? Number.NaN,
    perSecond: counted / seconds,
    errors: errors + sent - answered,
  };
}

/** Opens a client with one request in flight. Requests due meanwhile wait in order. */
async function openClient(
  url: string,
  request: Uint8Array,
  onAnswer: (dueAt: number, status: number) => void,
) {
  const waiting: number[] = [];
  let current: number | null = null;

  function next(): void {
    current = waiting.shift() ?? null;
    if (current !== null) connection.send(request);
  }

  const connection = await openConnection(url, status => {
    const dueAt = current;
    next();
    if (dueAt !== null) onAnswer(dueAt, status);
  });
  return {
    send(dueAt: number) {
      waiting.push(dueAt);
      if (current === null) next();
    },
    end: connection.end,
  };
}
