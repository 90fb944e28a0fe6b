import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '../../server/app.ts';
import type { SiteOverrides } from '../../server/compose/options.ts';
import { stopParts } from '../../server/compose/parts.ts';
import { readConfig } from '../../server/config/config.ts';
import { type CreatedSite, createSite } from '../../server/create-site.ts';
import type { EditFile } from '../../server/embedded-cms/folder/edit-folder.ts';
import { createHttpServer } from '../../server/http/http-server.ts';
import type { ConnectionLimits } from '../../server/http/limits/limits.ts';
import { loadContents, loadPages } from '../../server/loading/route-contents.ts';
import { createLogger } from '../../server/ops/log.ts';
import type { LogCode } from '../../server/ops/log-codes.ts';
import { createOpsApp } from '../../server/ops-app.ts';
import { openQueueLink } from '../../server/outbox/queue/queue-link.ts';
import { createRequestListener } from '../../server/request-listener.ts';
import { openTracing } from '../../server/tracing/traced-parts.ts';
import { sharedCompilePool } from './compile-pool.ts';
import { close, listen } from './listen.ts';
import { patient } from './patience.ts';

/** A decoded log entry. */
export type LogLine = Record<string, unknown> & { level: string; code: LogCode; msg: string };

export interface RunningSite {
  /** For example `http://127.0.0.1:41234`. */
  url: string;
  opsUrl: string;
  site: CreatedSite;
  /** All log entries so far. */
  log: LogLine[];
  /** Log entries as written, without line ends. */
  rawLog: string[];
  /** @returns the log entries of requests for a path. */
  requests(path: string): LogLine[];
  close(): Promise<void>;
}

export interface StartSiteOptions {
  contentBaseUrl: string;
  /** Name of an embedded backend. */
  backendName?: string;
  /** @returns the file of an entry of an embedded backend. */
  fileOf?: (id: string) => string | null;
  /** Edits the files of an embedded backend. */
  edit?: EditFile;
  env?: Record<string, string>;
  overrides?: SiteOverrides;
  /** False skips the start-up, and the first page loads the start-up content. */
  begin?: boolean;
  /** Build to serve, by default the project's. */
  distDir?: string;
  /** The default 0 chooses a free port. */
  port?: number;
  /** A folder that the site shares with an earlier or a later process. `close` does not remove it. */
  dataDir?: string;
  /** Time limits of connections, shorter than the real ones. */
  limits?: ConnectionLimits;
}

/** The project's build. */
export const DIST_DIR = path.resolve(import.meta.dirname, '../../dist');

/** A site with its request listeners, without a port. */
export interface AssembledSite extends Omit<RunningSite, 'url' | 'opsUrl'> {
  listener: RequestListener;
  opsListener: RequestListener;
  /** Begins deliveries and the start-up, and waits for the end of its first attempt. */
  begin(): Promise<void>;
}

/**
 * Assembles a site in this process, with a separate data folder. `close` ends everything except the sockets.
 */
export async function assembleSite({
  contentBaseUrl,
  backendName,
  fileOf,
  edit,
  env = {},
  overrides = {},
  begin = true,
  distDir = DIST_DIR,
  dataDir: keptDir,
}: StartSiteOptions): Promise<AssembledSite> {
  const dataDir = keptDir ?? (await mkdtemp(path.join(os.tmpdir(), 'site-')));
  const log: LogLine[] = [];
  const rawLog: string[] = [];
  const config = readConfig({
    CONTENT_BASE_URL: contentBaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    // Longer than the default, because a busy machine may delay the backend of a test.
    CONTENT_TIMEOUT_MS: '20000',
    // Tests check the log entries of all their requests.
    ACCESS_LOG_LINES: '0',
    // Tests count the calls of the backend.
    CONTENT_SWEEP_MS: '0',
    // Tests send requests to the address of the port, even with a PUBLIC_URL.
    ...(env.PUBLIC_URL && env.PUBLIC_URL !== 'any' ? { ALLOWED_HOSTS: '127.0.0.1' } : {}),
    ...env,
  });
  const logger = createLogger(config.logLevel, {
    write(line) {
      log.push(JSON.parse(line));
      rawLog.push(line.slice(0, -1));
    },
  });
  const queue =
    config.outboxQueue &&
    (await openQueueLink({ ...config.outboxQueue, log: logger, pace: overrides.outbox?.pace }));
  const site = createSite({
    tracing: await openTracing(config, 'test', logger),
    ...{ config, queue, log: logger, contentBaseUrl, backendName, fileOf, edit, distDir },
    pages: await loadPages(),
    contents: await loadContents(),
    overrides: {
      compilePool: sharedCompilePool(),
      // The event loop of a busy machine is late, and tests still request pages.
      maxLoopDelayMs: Number.POSITIVE_INFINITY,
      // No page is rendered without a visitor, so that tests may count renders and calls. Log entries about
      // one type are not delayed.
      holdLinesMs: 0,
      // Tests expect an edit in the next answer, and the backend of a busy machine is slow.
      invalidatedWaitMs: patient(1_000),
      // A busy machine scales slowly, and tests look at the rendition.
      renditionWaitMs: 600_000,
      eventLoopDelayMs: () => Number.POSITIVE_INFINITY,
      ...overrides,
    },
  });
  return {
    site,
    log,
    rawLog,
    requests: path => log.filter(line => line.code === 'http-request' && line.path === path),
    listener: createRequestListener(site, createApp(site)),
    opsListener: createOpsApp(site),
    async begin() {
      site.outbox.begin();
      site.backendFolder.begin();
      if (!begin) return;
      await site.followPurges();
      site.startUp.begin();
      site.contentSweep.begin();
      await site.startUp.whenReady().catch(() => {});
    },
    async close() {
      await stopParts(site.parts);
      // A picture may still be written, so the removal is retried.
      if (keptDir === undefined)
        await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
}

/** Starts a site in this process, on free ports, with a separate data folder. */
export async function startSite(options: StartSiteOptions): Promise<RunningSite> {
  const { listener, opsListener, begin, close: dispose, ...assembled } = await assembleSite(options);
  const server = createHttpServer(listener, {
    headers: assembled.site.securityHeaders,
    limits: options.limits,
  });
  const ops = createHttpServer(opsListener);
  const [url, opsUrl] = await Promise.all([listen(server, options.port ?? 0), listen(ops)]);
  await begin();
  return {
    ...assembled,
    url,
    opsUrl,
    async close() {
      assembled.site.startUp.stop();
      await Promise.all([close(server), close(ops)]);
      await dispose();
    },
  };
}
