import { setTimeout as delay } from 'node:timers/promises';
import { openConnection, requestFor } from './connection.ts';

/** Server and requests of a load. */
export interface Target {
  url: string;
  /** Addresses requested in turns. */
  paths: readonly string[];
  headers: Readonly<Record<string, string>>;
  seconds: number;
}

/** Answers that a generator has received. */
export interface Sent {
  answered: number;
  ms: number;
  /** Missing answers, and answers with a status of 400 or more. */
  errors: number;
}

export const CONNECTIONS = 50;
/** Step from page to page. A large prime keeps the processor from prefetching the next page. */
const STRIDE = 7_919;

/** Sends as many requests as a server can answer, by sockets of this process. */
export function rawLoad({ url, paths, headers, seconds }: Target): Promise<Sent> {
  const requests = paths.map(path => requestFor(url, { path, headers }));
  let turn = 0;
  return loadOf(url, seconds, () => {
    turn = (turn + STRIDE) % requests.length;
    return requests[turn] as Uint8Array;
  });
}

/** Sends requests with one in flight on each of 50 connections. */
export async function loadOf(
  url: string,
  seconds: number,
  nextRequest: () => Uint8Array,
): Promise<Sent & { statuses: Record<number, number> }> {
  const statuses: Record<number, number> = {};
  let sent = 0;
  let answered = 0;
  let errors = 0;
  let isOver = false;
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await openConnection(url, status => {
        answered += 1;
        if (status >= 400) errors += 1;
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (!isOver) ask();
      });
      function ask(): void {
        sent += 1;
        connection.send(nextRequest());
      }
      return { ask, end: connection.end };
    }),
  );
  const startedAt = performance.now();
  for (const { ask } of connections) ask();
  await delay(seconds * 1_000);
  isOver = true;
  const deadline = performance.now() + 5_000;
  while (answered < sent && performance.now() < deadline) await delay(1);
  const ms = performance.now() - startedAt;
  for (const { end } of connections) end();
  return { answered, ms, errors: errors + sent - answered, statuses };
}
