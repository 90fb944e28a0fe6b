import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Part, stopParts } from './compose/parts.ts';
import type { Config } from './config/config.ts';
import type { Logger } from './ops/log.ts';
import type { Readiness } from './ops/readiness.ts';

/** How long the drain still accepts requests on open connections, in ms. */
const LAST_REQUESTS_MS = 300;

interface ShutDownOptions {
  readonly config: Pick<Config, 'shutdownDelayMs'>;
  readonly log: Logger;
  readonly parts: readonly Part[];
  readonly readiness: Readiness;
  readonly server: Server;
  readonly ops: Server;
  readonly answering: ReadonlySet<ServerResponse>;
}

/** Ends the process on SIGTERM or SIGINT after the shutdown delay. A second signal skips the delay. */
export function endOnSignals(options: ShutDownOptions): void {
  const { config, log, readiness, server } = options;
  const hurry = new AbortController();
  process.on('SIGTERM', signal => void shutDown(signal));
  process.on('SIGINT', signal => void shutDown(signal));

  async function shutDown(signal: string): Promise<void> {
    if (readiness.state === 'draining') return hurry.abort();
    readiness.drain();
    const { shutdownDelayMs } = config;
    const { cutOffMs, endMs } = shutdownLimits(shutdownDelayMs);
    const cutOff = setTimeout(() => {
      log.warn({ code: 'stop-drain-limit' }, 'shutdown: open requests are cut off');
      server.closeAllConnections();
    }, cutOffMs);
    setTimeout(() => {
      log.warn(
        { code: 'stop-work-left' },
        'shutdown: unfinished work, such as a delivery, is left to the next process',
      );
      process.exit();
    }, endMs);
    if (shutdownDelayMs > 0) {
      // Serve during the delay, because a load balancer sends requests until it sees `/readyz` fail.
      log.info(
        { code: 'stop-delayed', signal, delayMs: shutdownDelayMs },
        'shutdown: not ready, but requests are served until the shutdown delay ends',
      );
      await delay(shutdownDelayMs, undefined, { signal: hurry.signal }).catch(() => {});
    }
    log.info({ code: 'stop-draining', signal }, 'draining');
    await closeSite(options, cutOff);
    await stopParts(options.parts);
    log.info({ code: 'stop-done' }, 'stopped');
    // Exit now, because idle connections to the backend would keep the process alive for seconds.
    process.exit();
  }
}

async function closeSite(
  { server, ops, answering, parts }: ShutDownOptions,
  cutOff: NodeJS.Timeout,
): Promise<void> {
  for (const part of parts) part.drain?.();
  const closed = once(server, 'close');
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  for (const res of answering) if (!res.headersSent) res.setHeader('Connection', 'close');
  // Stop listening but keep connections open, because an idle one may carry its next request. `close` of http
  // would end idle connections.
  NetServer.prototype.close.call(server);
  await delay(LAST_REQUESTS_MS);
  server.closeIdleConnections();
  await closed;
  clearTimeout(cutOff);
  // Wait for cut-off requests, which are logged just after their connections close.
  await Promise.all([...answering].map(res => once(res, 'close')));
  ops.closeAllConnections();
  ops.close();
}

/** Open requests are cut off after this time from the first signal, in ms, or later after a long delay. */
const CUT_OFF_MS = 8_000;
/** Open requests have at least this time after the shutdown delay, in ms, however long the delay is. */
const LEAST_DRAIN_MS = 4_000;
/** The time from the cut-off to the exit, in ms. */
const LAST_WORK_MS = 800;

/**
 * Computes the limits after the first signal, in ms. Runtimes kill a process 10 s after SIGTERM, so short
 * delays end within 9 s.
 */
export function shutdownLimits(delayMs: number) {
  const cutOffMs = Math.max(CUT_OFF_MS, delayMs + LEAST_DRAIN_MS);
  return { cutOffMs, endMs: cutOffMs + LAST_WORK_MS };
}
