import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

export const DIST = path.resolve(import.meta.dirname, '../../dist');
const READY_WITHIN_MS = 120_000;
/** How long one address is retried while the site is busy, or has only a stale response. */
const ANSWER_WITHIN_MS = 30_000;
const AGAIN_AFTER_MS = 100;

/** Variables that an export must not share with a running site: messages, purges, traces, replicas. */
const NOT_FOR_EXPORTS = [
  ...['SHARED_URL', 'OUTBOX_URL', 'CDN', 'CDN_PURGE', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'REPLICA_ID'],
  ...['REUSE_PORT', 'WEBHOOK_SECRET', 'PREVIEW_SECRET', 'PREVIEW_TOKEN', 'SUBSCRIBE_SECRET', 'DEV_RELOAD'],
];

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface SiteToExport {
  /** Sends a request as a browser does. Waits for a response that is not stale. */
  ask(address: string, accept?: string): Promise<Answer>;
  operate(method: 'GET' | 'DELETE', address: string): Promise<Answer>;
  stop(): Promise<void>;
}

export interface SiteOptions {
  readonly publicUrl: URL;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

/** Starts the built server on the loopback interface, as the site at `publicUrl`. */
export async function startSiteToExport({
  publicUrl,
  dataDir,
  env,
  say,
}: SiteOptions): Promise<SiteToExport> {
  const token = randomBytes(24).toString('base64url');
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_EXPORTS.includes(name)));
  // A killed export must not leave the server running.
  const endWithParent = `--import=${import.meta.resolve('../../build/end-with-parent.ts')}`;
  const child = spawn(process.execPath, [endWithParent, path.join(DIST, 'server/main.js')], {
    env: {
      ...own,
      ...{ HOST: '127.0.0.1', PORT: '0', OPS_HOST: '127.0.0.1', OPS_PORT: '0', OPS_TOKEN: token },
      ...{ PUBLIC_URL: publicUrl.origin, TRUST_PROXY: 'loopback', DATA_DIR: dataDir, LOG_LEVEL: 'info' },
      // A static folder cannot receive browsers' reports. Content stays fresh while the export runs.
      ...{ RUM: 'off', CONTENT_WARM: '0', ACCESS_LOG_LINES: '0', CONTENT_TTL_MS: '86400000' },
      // Each page is asked for once, so few need to stay in memory. On disk all stay for the next export.
      ...{ PAGE_CACHE_BYTES: String(8 * 1024 * 1024), DISK_CACHE_BYTES: String(1024 ** 4) },
      npm_lifecycle_event: 'export',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const agent = new http.Agent({ keepAlive: true });
  const stop = async () => {
    agent.destroy();
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  try {
    const said = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<{ site: number; ops: number }>();
    createInterface({ input: child.stdout }).on('line', line => {
      const entry = line.startsWith('{') ? JSON.parse(line) : {};
      if (entry.code === 'start-listening') resolve({ site: entry.site.port, ops: entry.ops.port });
      const place = [entry.file, entry.field, entry.reason].filter(part => part !== undefined).join(': ');
      const text = `${entry.level}: ${entry.msg}${place && ` (${place})`}`;
      if (['warn', 'error', 'fatal'].includes(entry.level) && !said.has(text)) say(text);
      said.add(text);
    });
    const ports = await Promise.race([
      promise,
      ended.then(() => Promise.reject(new Error('The server does not start'))),
    ]);
    const headers = { host: publicUrl.host, 'x-forwarded-proto': publicUrl.protocol.slice(0, -1) };
    const operate: SiteToExport['operate'] = (method, address) =>
      send(agent, ports.ops, method, address, { authorization: `Bearer ${token}` });
    const deadline = performance.now() + READY_WITHIN_MS;
    while ((await operate('GET', '/readyz')).status !== 200) {
      if (performance.now() > deadline) throw new Error('The site does not become ready: is the CMS down?');
      await delay(AGAIN_AFTER_MS);
    }
    // Make pages of an earlier export stale: they are rendered again only if their content has changed.
    await operate('DELETE', '/cache?tag=*');
    return {
      operate,
      stop,
      ask: (address, accept = '*/*') =>
        current(() => send(agent, ports.site, 'GET', address, { ...headers, accept }), address),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Retries while the site is busy, sends a stale page, or redirects to a substitute picture. */
async function current(ask: () => Promise<Answer>, address: string): Promise<Answer> {
  const deadline = performance.now() + ANSWER_WITHIN_MS;
  for (;;) {
    const answer = await ask();
    const isBusy = answer.status === 503 || answer.status === 429;
    const isOld = /; ttl=-/.test(String(answer.headers['cache-status']));
    const isLate = answer.status === 302 && address.startsWith('/images/');
    const isOver = performance.now() > deadline;
    if (!isBusy && !isOld && (!isLate || isOver)) return answer;
    const got = isOld ? 'an old page' : answer.status;
    if (isOver) throw new Error(`${address}: ${got} for 30 s. Does the CMS answer? See the warnings above.`);
    await delay(isBusy ? (Number(answer.headers['retry-after']) || 1) * 1_000 : AGAIN_AFTER_MS);
  }
}

/** Sends a request by `node:http`, because `fetch` overwrites the `Host` header. */
async function send(
  agent: http.Agent,
  port: number,
  method: string,
  address: string,
  headers: http.OutgoingHttpHeaders,
): Promise<Answer> {
  const request = http.request({ agent, host: '127.0.0.1', port, method, path: address, headers });
  request.end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks = await response.toArray();
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}
