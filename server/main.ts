import './ops/check-node.ts';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from './app.ts';
import { KEEP_EVERY_MS } from './assets/earlier-builds.ts';
import type { FolderEvent } from './backend/embedded/folder-events.ts';
import { startEmbeddedBackend } from './backend/embedded/start-embedded-backend.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createSite } from './create-site.ts';
import { applyEvent, changeOf } from './endpoints/content-webhook.ts';
import {
  connectionLimit,
  limitConnections,
  MAX_OPS_CONNECTIONS,
  openFilesLimit,
} from './http/connection-limit.ts';
import { createHttpServer } from './http/http-server.ts';
import { shutdownLimits } from './http/shutdown-limits.ts';
import { latePackages } from './ops/late-packages.ts';
import { createLogger, type ProcessLogger } from './ops/log.ts';
import { keepHeapSmall } from './ops/memory.ts';
import { inSlices, mapSteps } from './ops/turns.ts';
import { createOpsApp, OPS_HEADERS } from './ops-app.ts';
import { openQueueLink } from './outbox/queue/queue-link.ts';
import { checkRouteMiddleware } from './page/route-middleware.ts';
import { readBuildManifest } from './render/asset-manifest.ts';
import { loadPages } from './render/pages.ts';
import { createRequestListener } from './request-listener.ts';

/** Time after the begin of the drain in which requests on open connections are still accepted, in ms. */
const LAST_REQUESTS_MS = 300;

/** When the assets of this build are copied for open tabs, after the start of the process, in ms. */
const KEEP_ASSETS_AFTER_MS = 2_000;

/** When the parts are loaded that no first page needs, and the index of the search is read, after the server listens, in ms. */
const LOAD_REST_AFTER_MS = 1_000;

/** How long the start waits until the assets of this build are in the shared store, in ms. */
const SHARE_ASSETS_MS = 1_000;

/** More changes of the content folder at a time than this invalidate everything. */
const MAX_SINGLE_EVENTS = 20;

let config: Config;
try {
  config = readConfig();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
const distDir = path.resolve(import.meta.dirname, '..');
const log = createLogger(
  config.logLevel,
  undefined,
  // One process alone needs no name in its lines.
  config.replicaId === null ? null : { replica: config.replicaId, build: readBuildManifest(distDir).id },
);
process.on('uncaughtExceptionMonitor', error =>
  log.fatal({ err: error }, 'an uncaught error ends the process'),
);
start(config, log).catch((error: unknown) => {
  if (error instanceof ConfigError) log.fatal(error.problems.join(' '));
  else log.fatal({ err: error }, 'the process could not start');
  process.exitCode = 1;
  setImmediate(() => process.exit());
});

async function start(config: Config, log: ProcessLogger): Promise<void> {
  keepHeapSmall();
  const mailDir = path.resolve(config.dataDir, 'mail');
  const embedded = config.contentBaseUrl
    ? null
    : await startEmbeddedBackend({
        contentDir: path.resolve(distDir, '../content'),
        mailDir,
        mailDays: config.mailDays,
        previewToken: config.preview?.token,
        onWarning: (message, details) => log.warn(details, `content folder: ${message}`),
        onEvents: events => void followFolder(events),
      });
  const contentBaseUrl = config.contentBaseUrl ?? embedded?.url ?? '';
  const [pages, queue] = await Promise.all([
    loadPages(),
    config.outboxQueue && openQueueLink({ ...config.outboxQueue, log }),
  ]);
  const site = createSite({
    ...{
      config,
      log,
      contentBaseUrl,
      backendName: embedded?.name,
      fileOf: embedded?.fileOf,
      distDir,
      pages,
      queue,
    },
  });
  checkRouteMiddleware(site);

  const app = createApp(site);
  /** Open responses of the Express app. Assets and cache hits are sent synchronously and are not tracked. */
  const answering = new Set<ServerResponse>();
  const rest = [latePackages()];
  const server = createHttpServer(
    createRequestListener(
      site,
      (req, res) => {
        answering.add(res);
        res.once('close', () => answering.delete(res));
        app(req, res);
      },
      loads => rest.push(loads),
    ),
    { headers: site.securityHeaders },
  );
  const ops = createHttpServer(createOpsApp(site), { headers: OPS_HEADERS });
  limitConnections(server, connectionLimit(openFilesLimit()), site);
  limitConnections(ops, MAX_OPS_CONNECTIONS, site);
  const assets = path.join(distDir, 'client/assets');
  await site.shared?.examined();
  // Other replicas may be asked for the assets as soon as this one answers a page.
  await Promise.race([site.earlierBuilds.share(assets), delay(SHARE_ASSETS_MS)]);
  await listen(ops, 'OPS_PORT', { port: config.opsPort, host: config.opsHost });
  await listen(server, 'PORT', { port: config.port, host: config.host, reusePort: config.reusePort });
  site.backendFolder.begin();
  await site.followPurges();
  site.startUp.begin();
  site.contentSweep.begin();
  site.contentWarming.begin();
  site.search.begin(LOAD_REST_AFTER_MS);
  site.outbox.begin();
  site.doctor.begin();
  site.replicas?.begin();
  const keepAssets = () => void site.earlierBuilds.keep(assets);
  setTimeout(() => void loadRest(), LOAD_REST_AFTER_MS).unref();
  // The first visitors do not need the copy.
  setTimeout(keepAssets, KEEP_ASSETS_AFTER_MS).unref();
  setInterval(keepAssets, KEEP_EVERY_MS).unref();
  log.info(
    { site: addressOf(server), ops: addressOf(ops), content: contentBaseUrl, build: site.manifest.id },
    'listening',
  );
  if (config.subscribeSecret === null)
    log.info(
      { remedy: 'set SUBSCRIBE_SECRET to have each subscription confirmed by a link in an e-mail' },
      'the newsletter: subscriptions are not confirmed',
    );
  if (embedded)
    log.info(
      { remedy: 'set CONTENT_BASE_URL to a CMS that sends them', folder: mailDir },
      'messages of forms are kept in a folder: nobody gets an e-mail, whatever the pages say',
    );
  // In production the output is read by programs, which want JSON in every line.
  if (!config.isProduction)
    process.stdout.write(`\n  The site is at http://localhost:${addressOf(server).port}\n\n`);

  /** Loads what no first page needs, so that no later visitor waits for it. */
  async function loadRest(): Promise<void> {
    site.compilePool.start();
    for (const loads of rest) await inSlices(mapSteps(loads, load => load()));
  }

  /** Invalidates content whose files have changed, as a webhook does. Git may change all files at once. */
  async function followFolder(events: readonly FolderEvent[]): Promise<void> {
    for (const event of events) {
      const change = changeOf(event);
      if (change) site.contentChanges.noteRemoval(change);
    }
    for (const event of events.length > MAX_SINGLE_EVENTS ? (['unknown'] as const) : events) {
      const tags = await applyEvent(site, event);
      log.info(
        { event: event === 'unknown' ? event : event.event, tags },
        'content folder: a file has changed',
      );
    }
  }

  /** Aborted by the second signal. */
  const hurry = new AbortController();
  process.on('SIGTERM', signal => void shutDown(signal));
  process.on('SIGINT', signal => void shutDown(signal));

  /** Ends the process. With a shutdown delay it serves on meanwhile; a second signal ends the delay. */
  async function shutDown(signal: string): Promise<void> {
    if (site.readiness.state === 'draining') return hurry.abort();
    site.readiness.drain();
    const { shutdownDelayMs } = config;
    const { cutOffMs, endMs } = shutdownLimits(shutdownDelayMs);
    const cutOff = setTimeout(() => {
      log.warn('the drain limit is reached, open requests are cut off');
      server.closeAllConnections();
    }, cutOffMs);
    setTimeout(() => {
      log.warn(
        'the process ends with work left, such as the delivery of a message, which the next process repeats',
      );
      process.exit();
    }, endMs);
    if (shutdownDelayMs > 0) {
      // A load balancer sends requests until it has seen that `/readyz` is not ready.
      log.info(
        { signal, delayMs: shutdownDelayMs },
        'not ready, and serving until the shutdown delay is over',
      );
      await delay(shutdownDelayMs, undefined, { signal: hurry.signal }).catch(() => {});
    }
    await drain(signal, cutOff);
  }

  async function drain(signal: string, cutOff: NodeJS.Timeout): Promise<void> {
    log.info({ signal }, 'draining');
    site.startUp.stop();
    site.doctor.stop();
    const closed = once(server, 'close');
    // `Connection: close` ends a busy connection with its answer instead of keeping it open for another request.
    server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
    for (const res of answering) {
      if (!res.headersSent) res.setHeader('Connection', 'close');
      // The stream that reports rebuilds never ends by itself.
      else if (/^text\/event-stream/.test(String(res.getHeader('Content-Type')))) res.end();
    }
    // `close` of net refuses new connections and keeps open ones. An idle connection may have its next request on the wire, which is still
    // answered until LAST_REQUESTS_MS have passed. `close` of http would end idle connections at once.
    NetServer.prototype.close.call(server);
    await delay(LAST_REQUESTS_MS);
    server.closeIdleConnections();
    await closed;
    clearTimeout(cutOff);
    // A request that was cut off writes its line in the log a moment after its connection has closed.
    await Promise.all([...answering].map(res => once(res, 'close')));
    await site.outbox.stop();
    ops.closeAllConnections();
    ops.close();
    await embedded?.close();
    await site.backendFolder.stop();
    await site.purges.stop();
    site.stop();
    await site.settled();
    log.info('stopped');
    // Idle connections to the backend would keep the process alive for seconds.
    process.exit();
  }
}

/** @throws ConfigError when another process has the port. */
async function listen(
  server: Server,
  variable: string,
  address: { port: number; host: string; reusePort?: boolean },
): Promise<void> {
  const { port, host, reusePort = false } = address;
  server.listen({ port, host, reusePort });
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOTSUP' && reusePort)
      throw new ConfigError(['REUSE_PORT: this system cannot share a port. Set REUSE_PORT=off.']);
    if (code !== 'EADDRINUSE') throw error;
    throw new ConfigError([
      `${variable}: another process has port ${port} of ${host}. End it, or set ${variable} to a free port.`,
    ]);
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port');
  return address;
}
