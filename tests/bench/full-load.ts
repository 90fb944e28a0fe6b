import { setTimeout as delay } from 'node:timers/promises';
import { openConnection, requestFor } from './connection.ts';
import { cpuMs } from './cores.ts';

export interface FullLoadOptions {
  url: string;
  /** The server's process id, to measure its CPU time. */
  pid: number;
  paths: readonly string[];
  headers: Readonly<Record<string, string>>;
  seconds: number;
}

export interface FullLoadResult {
  perSecond: number;
  errors: number;
  /** The server's CPU time for one request, in microseconds. Null if the system does not tell. */
  cpuMicros: number | null;
}

const CONNECTIONS = 50;
/** The step from page to page. It is a large prime, so that all pages are visited in an order that the processor cannot prefetch. */
const STRIDE = 7_919;

/**
 * Sends as many requests as a server can answer, over many pages. autocannon, with thousands of addresses, reaches only a
 * third of that rate.
 */
export async function fullLoad({
  url,
  pid,
  paths,
  headers,
  seconds,
}: FullLoadOptions): Promise<FullLoadResult> {
  const requests = paths.map(path => requestFor(url, path, headers));
  let turn = 0;
  let answered = 0;
  let errors = 0;
  let isOver = false;
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await openConnection(url, status => {
        answered += 1;
        if (status !== 200) errors += 1;
        if (!isOver) ask();
      });
      function ask(): void {
        turn = (turn + STRIDE) % requests.length;
        connection.send(requests[turn] as Uint8Array);
      }
      return { ask, end: connection.end };
    }),
  );
  const cpuBefore = cpuMs(pid);
  const startedAt = performance.now();
  for (const { ask } of connections) ask();
  await delay(seconds * 1_000);
  const counted = answered;
  const elapsedMs = performance.now() - startedAt;
  const cpuAfter = cpuMs(pid);
  isOver = true;
  const deadline = performance.now() + 5_000;
  while (answered < counted + CONNECTIONS && performance.now() < deadline) await delay(5);
  for (const { end } of connections) end();
  return {
    perSecond: (counted / elapsedMs) * 1_000,
    errors: errors + counted + CONNECTIONS - answered,
    cpuMicros: cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1_000) / counted,
  };
}
