import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { createSite } from '../../server/create-site.ts';
import { createHttpServer } from '../../server/http/http-server.ts';
import type { ConnectionLimits } from '../../server/http/limits.ts';
import { createLogger } from '../../server/ops/log.ts';
import { createOpsApp } from '../../server/ops-app.ts';
import { createRequestListener } from '../../server/request-listener.ts';
import type { Site, SiteOverrides } from '../../server/site.ts';
import { close, listen } from './listen.ts';

/** A line of the log, decoded. */
export type LogLine = Record<string, unknown> & { level: string; msg: string };

export interface RunningSite {
  /** For example `http://127.0.0.1:41234`. */
  url: string;
  opsUrl: string;
  site: Site;
  /** All that was logged so far. */
  log: LogLine[];
  /** Log lines as they were written, without line ends. */
  rawLog: string[];
  /** The lines of requests for a path. */
  requests(path: string): LogLine[];
  close(): Promise<void>;
}

export interface StartSiteOptions {
  contentBaseUrl: string;
  env?: Record<string, string>;
  overrides?: SiteOverrides;
  /** Off: the content needed at start-up is loaded by the first page. */
  begin?: boolean;
  /** Another build than the project's own. */
  distDir?: string;
  /** 0, the default, takes a free one. */
  port?: number;
  /** A folder that another process has left, or will find: not removed. */
  dataDir?: string;
  /** Shorter times than the real ones, for connections. */
  limits?: ConnectionLimits;
}

/** The project's own build. */
export const DIST_DIR = path.resolve(import.meta.dirname, '../../dist');

/** A site with its request listeners, on no socket yet. */
export interface AssembledSite extends Omit<RunningSite, 'url' | 'opsUrl'> {
  listener: RequestListener;
  opsListener: RequestListener;
  /** Begins deliveries and the start-up, and waits for its first attempt. */
  begin(): Promise<void>;
}

/** Makes a site in this process, with a folder of its own, against a backend. `close` ends everything but the sockets. */
export async function assembleSite({
  contentBaseUrl,
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
    // Longer than the default: a busy machine may let the test's backend answer late.
    CONTENT_TIMEOUT_MS: '20000',
    // Tests ask by the address, whatever the public one is.
    ...(env.PUBLIC_URL ? { ALLOWED_HOSTS: '127.0.0.1' } : {}),
    ...env,
  });
  const logger = createLogger(config.logLevel, {
    write(line) {
      log.push(JSON.parse(line));
      rawLog.push(line.slice(0, -1));
    },
  });
  const site = createSite({ config, log: logger, contentBaseUrl, distDir, overrides });
  return {
    site,
    log,
    rawLog,
    requests: wanted => log.filter(line => line.msg === 'request' && line.path === wanted),
    listener: createRequestListener(site, createApp(site)),
    opsListener: createOpsApp(site, () => false),
    async begin() {
      site.outbox.begin();
      if (!begin) return;
      site.startUp.begin();
      await site.startUp.whenReady().catch(() => {});
    },
    async close() {
      site.startUp.stop();
      await site.outbox.stop();
      await site.settled();
      // A picture may still be on its way into its folder.
      if (keptDir === undefined)
        await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
}

/** Starts the site in this process, on free ports, with a folder of its own, against a backend. */
export async function startSite(options: StartSiteOptions): Promise<RunningSite> {
  const { listener, opsListener, begin, close: dispose, ...assembled } = await assembleSite(options);
  const server = createHttpServer(listener, options.limits);
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
