import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { statusesOf } from '../client.ts';
import { onStage } from '../stage.ts';
import { quantile, startTraffic } from '../traffic.ts';

export interface SlowSocketsSizes {
  sockets: number;
  pages: number;
  perSecond: number;
  /** Duration of the visits before the sockets open. */
  beforeMs: number;
}

export interface SlowSocketsOutcome {
  statuses: Record<number, number>;
  /** Number of sockets that were open together, and of sockets that the server closed. */
  open: number;
  cut: number;
  /** Time from the first opening to the last close. */
  lastCutMs: number;
  p99BeforeMs: number;
  p99DuringMs: number;
}

/** Longer than the server's time limits for a request. */
const CUT_WITHIN_MS = 25_000;

/**
 * First bytes of the sockets, in turn: nothing, half a line, headers without an end, a body without an end.
 */
const BEGINNINGS = [
  '',
  'GET /abo',
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  'POST /api/email/send HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n',
];
/** Each socket sends once a second, in groups: writing to all at once would delay the timed visits. */
const DRIPS = 20;
const DRIP_MS = 1_000 / DRIPS;

/** Fault 12: many sockets are idle or send single characters slowly, while visitors read the pages. */
export function slowSockets({
  sockets,
  pages,
  perSecond,
  beforeMs,
}: SlowSocketsSizes): Promise<SlowSocketsOutcome> {
  return onStage({ pages, ttlMs: 600_000 }, {}, async ({ site, seen }) => {
    const { hostname, port } = new URL(site.url);
    const traffic = startTraffic(site.url, seen, perSecond);
    await delay(beforeMs);
    const before = traffic.visits.length;
    const openedAt = performance.now();
    const slow: Socket[] = [];
    let cut = 0;
    let lastCutMs = 0;
    for (let index = 0; index < sockets; index += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.on('data', () => {});
      socket.once('close', () => {
        cut += 1;
        lastCutMs = performance.now() - openedAt;
      });
      await once(socket, 'connect');
      socket.write(BEGINNINGS[index % BEGINNINGS.length] ?? '');
      slow.push(socket);
    }
    const open = slow.length - cut;
    let turn = 0;
    const drip = setInterval(() => {
      turn += 1;
      for (let index = turn % DRIPS; index < slow.length; index += DRIPS) {
        const socket = slow[index];
        const text = ['', 'a', `x${index}: y\r\n`, ' '][index % BEGINNINGS.length] ?? '';
        if (text !== '' && socket?.writable) socket.write(text);
      }
    }, DRIP_MS);
    while (cut < sockets && performance.now() - openedAt < CUT_WITHIN_MS) await delay(100);
    clearInterval(drip);
    await traffic.stop();
    for (const socket of slow) socket.destroy();
    const times = (visits: readonly { ms: number }[]) => visits.map(({ ms }) => ms);
    return {
      statuses: statusesOf(traffic.visits),
      open,
      cut,
      lastCutMs,
      p99BeforeMs: quantile(times(traffic.visits.slice(0, before)), 0.99),
      p99DuringMs: quantile(times(traffic.visits.slice(before)), 0.99),
    };
  });
}
