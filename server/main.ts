import './ops/process/check-node.ts';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createApp } from './app.ts';
import { readBuildManifest } from './assets/built-assets.ts';
import { type EarlierBuilds, KEEP_EVERY_MS } from './assets/earlier-builds.ts';
import { within } from './cache/within.ts';
import { beginParts, type Part } from './compose/parts.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { type CreatedSite, createSite } from './create-site.ts';
import type { FolderEvent } from './embedded-cms/folder/folder-events.ts';
import { startEmbeddedBackend } from './embedded-cms/start-embedded-backend.ts';
import { createHttpServer } from './http/http-server.ts';
import {
  connectionLimit,
  limitConnections,
  MAX_OPS_CONNECTIONS,
  openFilesLimit,
} from './http/limits/connection-limit.ts';
import { loadContents, loadPages } from './loading/route-contents.ts';
import { createLogger, type ProcessLogger, processOutput } from './ops/log.ts';
import { inTerminal } from './ops/log-terminal.ts';
import { keepHeapSmall, keepTickShape } from './ops/process/memory.ts';
import { inSlices, mapSteps } from './ops/slices.ts';
import { createOpsApp, OPS_HEADERS } from './ops-app.ts';
import { openQueueLink } from './outbox/queue/queue-link.ts';
import { checkRouteMiddleware } from './page/resolve/route-middleware.ts';
import { createRequestListener } from './request-listener.ts';
import { endOnSignals } from './shut-down.ts';
import { openTracing } from './tracing/traced-parts.ts';

const KEEP_ASSETS_AFTER_MS = 2_000;

const LOAD_REST_AFTER_MS = 1_000;

/** How long the start waits for the shared store to have this build's assets, in ms. */
const SHARE_ASSETS_MS = 1_000;

let config: Config;
try {
  config = readConfig();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // In a terminal, log nothing: it shows stderr and stdout, and the error would appear twice.
  if (!process.stdout.isTTY) logInvalid(createLogger('info'), error);
  process.exit(1);
}
const distDir = path.resolve(import.meta.dirname, '..');
const log = createLogger(
  config.logLevel,
  process.stdout.isTTY ? inTerminal(processOutput()) : processOutput(),
  // Name the replica in log entries. A single process needs no name.
  config.replicaId === null ? null : { replica: config.replicaId, build: readBuildManifest(distDir).id },
);
process.on('uncaughtExceptionMonitor', error =>
  log.fatal({ code: 'process-uncaught-error', err: error }, 'an uncaught error ends the process'),
);
start(config, log).catch((error: unknown) => {
  if (error instanceof ConfigError) logInvalid(log, error);
  else log.fatal({ code: 'start-failed', err: error }, 'the process could not start');
  process.exitCode = 1;
  setImmediate(() => process.exit());
});

function logInvalid(log: ProcessLogger, { problems }: ConfigError): void {
  const remedy = 'correct the variables that the text names; docs/configuration.md lists all';
  log.fatal({ code: 'start-config-invalid', remedy }, problems.join(' '));
}

async function start(config: Config, log: ProcessLogger): Promise<void> {
  keepHeapSmall();
  keepTickShape();
  for (const { name, meant } of config.unknownVariables)
    log.warn(
      { code: 'start-variable-unknown', variable: name, remedy: `set ${meant} if it is meant` },
      'configuration: a variable has an unknown name, which looks like a misspelt one',
    );
  let follow: ((events: readonly FolderEvent[]) => Promise<void>) | null = null;
  const mailDir = path.resolve(config.dataDir, 'mail');
  const embedded = config.contentBaseUrl
    ? null
    : await startEmbeddedBackend({
        contentDir: contentFolder(config),
        mailDir,
        previewToken: config.preview?.token,
        onWarning: (message, details) =>
          log.warn({ code: 'folder-problem', ...details }, `content folder: ${message}`),
        onEvents: events => void follow?.(events),
      });
  const contentBaseUrl = config.contentBaseUrl ?? embedded?.url ?? '';
  const [pages, contents, queue, tracing] = await Promise.all([
    loadPages(),
    loadContents(),
    config.outboxQueue && openQueueLink({ ...config.outboxQueue, log }),
    openTracing(config, readBuildManifest(distDir).id, log),
  ]);
  const site = createSite({
    config,
    log,
    contentBaseUrl,
    backendName: embedded?.name,
    fileOf: embedded?.fileOf,
    edit: embedded?.edit,
    distDir,
    pages,
    contents,
    queue,
    tracing,
  });
  checkRouteMiddleware(site);
  follow = events => followFolder(site, log, events);

  const servers = createServers(site);
  const assets = path.join(distDir, 'client/assets');
  if (config.dataDirRequired) await requireDataDir(site);
  await site.shared?.examined();
  // Share the assets before the first page, because visitors may then ask other replicas for them.
  await within(SHARE_ASSETS_MS, site.earlierBuilds.share(assets));
  await listen(servers.ops, 'OPS_', { port: config.opsPort, host: config.opsHost });
  await listen(servers.server, '', { port: config.port, host: config.host, reusePort: config.reusePort });
  const parts: readonly Part[] = [
    { stop: () => embedded?.close() },
    ...site.parts,
    { begin: () => loadLater(site) },
    { begin: () => keepAssets(site.earlierBuilds, assets) },
  ];
  await beginParts(parts);
  endOnSignals({ ...servers, config, log, parts, readiness: site.readiness });
  const address = addressOf(servers.server);
  log.info(
    {
      code: 'start-listening',
      site: address,
      ops: addressOf(servers.ops),
      content: contentBaseUrl,
      build: site.manifest.id,
    },
    'listening',
  );
  sayWhatIsNotSent(config, log, embedded && mailDir);
  // Programs read the output in production, and expect JSON on every line.
  if (!config.isProduction) process.stdout.write(`\n  The site is at http://localhost:${address.port}\n\n`);
}

/** @throws ConfigError if `CONTENT_DIR` names no folder. */
function contentFolder({ contentDir }: Config): string {
  if (contentDir !== null && !statSync(contentDir, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError([`CONTENT_DIR: wants a folder that exists, and ${contentDir} is none.`]);
  return path.resolve(contentDir ?? path.join(distDir, '../content'));
}

/** @throws ConfigError if the data folder cannot be written. */
async function requireDataDir({ diskHealth, config }: CreatedSite): Promise<void> {
  const disk = await diskHealth.probe();
  if (disk.isWritable) return;
  throw new ConfigError([
    `DATA_DIR: wants a folder that can be written, because DATA_DIR_REQUIRED is on, and ${config.dataDir} is none (${disk.error.message}).`,
  ]);
}

function createServers(site: CreatedSite) {
  const app = createApp(site);
  /** Responses in progress. Assets and cache hits are missing, because they are sent synchronously. */
  const answering = new Set<ServerResponse>();
  const handle: RequestListener = (req, res) => {
    answering.add(res);
    res.once('close', () => answering.delete(res));
    app(req, res);
  };
  const listener = createRequestListener(site, handle);
  const server = createHttpServer(listener, { headers: site.securityHeaders });
  const ops = createHttpServer(createOpsApp(site), { headers: OPS_HEADERS });
  limitConnections(server, connectionLimit(openFilesLimit()), site);
  limitConnections(ops, MAX_OPS_CONNECTIONS, site);
  site.metrics.observe({
    http_server_active_requests: () => answering.size,
    site_connections: async () => [
      ['site', await openConnections(server)],
      ['ops', await openConnections(ops)],
    ],
    site_connections_max: () => [
      ['site', server.maxConnections],
      ['ops', ops.maxConnections],
    ],
  });
  return { server, ops, answering };
}

function openConnections(server: Server): Promise<number> {
  return new Promise(resolve => server.getConnections((_error, count = 0) => resolve(count)));
}

/** Loads code and files that no first page needs, so that no later visitor waits for them. */
function loadLater({ compilePool, assets }: CreatedSite): void {
  const loadAll = () => {
    compilePool.start();
    return inSlices(mapSteps(assets.loads, load => load()));
  };
  setTimeout(() => void loadAll(), LOAD_REST_AFTER_MS).unref();
}

function keepAssets(builds: EarlierBuilds, assets: string): void {
  setTimeout(() => void builds.keep(assets), KEEP_ASSETS_AFTER_MS).unref();
  setInterval(() => void builds.keep(assets), KEEP_EVERY_MS).unref();
}

/** @param mailFolder the folder that stores form messages; null if they are sent by e-mail. */
function sayWhatIsNotSent(config: Config, log: ProcessLogger, mailFolder: string | null): void {
  if (config.subscribeSecret === null)
    log.info(
      {
        code: 'start-subscriptions-unconfirmed',
        remedy: 'set SUBSCRIBE_SECRET to have each subscription confirmed by a link in an e-mail',
      },
      'newsletter: subscriptions are not confirmed by e-mail',
    );
  if (mailFolder !== null)
    log.info(
      {
        code: 'start-mail-folder',
        remedy: 'set CONTENT_BASE_URL to a CMS that sends them',
        folder: mailFolder,
      },
      'forms: messages are stored in a folder, and no e-mail is sent',
    );
}

async function followFolder(
  site: CreatedSite,
  log: ProcessLogger,
  events: readonly FolderEvent[],
): Promise<void> {
  const call = { host: null, hasFormerSecret: false };
  const { tags } = await site.applyChange({ kind: 'events', events, call }, 'folder');
  const names = new Set(events.map(({ event }) => event));
  log.info(
    { code: 'folder-changed', event: [...names].join(', '), tags },
    'content folder: a file has changed',
  );
}

/** @param prefix `OPS_` for OPS_PORT and OPS_HOST. @throws ConfigError if the address cannot be used. */
async function listen(
  server: Server,
  prefix: '' | 'OPS_',
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
    const [PORT, HOST] = [`${prefix}PORT`, `${prefix}HOST`];
    if (code === 'EADDRINUSE')
      throw new ConfigError([
        `${PORT}: another process has port ${port} of ${host}. End it, or set ${PORT} to a free port.`,
      ]);
    if (code === 'EACCES')
      throw new ConfigError([`${PORT}: the user of the process may not use port ${port}. Set ${PORT}=3000.`]);
    throw new ConfigError([
      `${HOST}: wants an address of this machine, such as 0.0.0.0, and ${host} is none (${String(code)}).`,
    ]);
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port');
  return address;
}
