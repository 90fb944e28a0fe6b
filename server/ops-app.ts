import { isIP } from 'node:net';
import os from 'node:os';
import express, { type Express, type RequestHandler } from 'express';
import type { CdnPurger } from './cdn/cdn-purger.ts';
import type { Config } from './config.ts';
import { isServedPath } from './content/described-types.ts';
import { bearsSecret } from './http/bearer-token.ts';
import { isLoopbackAddress, isLoopbackHost } from './http/request-origin.ts';
import { servedHosts } from './http/served-hosts.ts';
import { STARTED_AT } from './ops/process-facts.ts';
import { steadyNow } from './ops/steady-clock.ts';
import type { QueueReport } from './outbox/carrier.ts';
import { sizeOfPage } from './page-cache/stored-page.ts';
import type { SharedStoreState } from './shared-state/shared-store.ts';
import { storeProblem } from './shared-state/store-problem.ts';
import type { Site } from './site.ts';

/** The entries and the problems that `GET /cache` lists at most, unless `?limit=` sets another limit. */
const DEFAULT_LIMIT = 1_000;

/** The headers of every answer of the ops port, name and value. */
export const OPS_HEADERS = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;

/**
 * Creates the endpoints for operators, which have a port of their own:
 *
 * - `/livez` and `/healthz` say that the process runs.
 * - `/readyz` says that the process has the content of the start-up, fresh or stale, so that it can answer pages. A draining process runs and is
 *   not ready. A page that is made of content which the CMS refuses is a 503 all the same, `/` included: `contentTypes` names the type.
 * - `/metrics` is for Prometheus; from another machine with OPS_TOKEN alone.
 * - `/replicas` has the state of each replica that shares the store; from another machine with OPS_TOKEN alone.
 * - `/doctor` has the findings about the CMS since the start of the process; from another machine with OPS_TOKEN alone.
 * - `/cache`, with OPS_TOKEN, lists the problems of the content and the stored pages, invalidates tags, and accepts or takes back the
 *   loss of a content type's entries.
 *
 * Probes are answered under any host, all other requests as `requireOpsHost` says.
 */
export function createOpsApp(site: Site): Express {
  const { readiness, manifest, content, problems, pages, outbox, metrics, config, shared } = site;
  const app = express();
  app.disable('x-powered-by');
  app.use((_req, res, next) => {
    res.set(Object.fromEntries(OPS_HEADERS));
    next();
  });
  app.get(['/livez', '/healthz'], (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    const disk = await site.diskHealth.probe();
    const { state } = readiness;
    res.status(readiness.isReady ? 200 : 503).json({
      status: state === 'loading' ? 'loading content' : state,
      build: manifest.id,
      ...(config.replicaId === null ? {} : { replica: config.replicaId }),
      backend: site.backendState(),
      // The servers of media by name. Pages are answered without their pictures, so the process is ready.
      media: Object.fromEntries(
        Array.from(site.mediaOrigins.states(), ([name, isUp]) => [name, isUp ? 'up' : 'down']),
      ),
      // The content types that are empty, emptied, refused or down, with reason and remedy.
      contentTypes: site.contentStates.reports(),
      contentWarm: site.contentWarming.progress,
      // A disk that cannot be written keeps nothing for the next process. Pages are answered all the same, so the process is ready.
      ...(disk.isWritable
        ? { disk: 'writable' }
        : { disk: 'unwritable', diskReason: disk.error.message, diskRemedy: disk.remedy }),
      // Without the shared store each replica asks the CMS for itself. Pages are answered all the same, so the process is ready.
      ...(shared && storeState(shared.state)),
      // While the log cannot be read or written, each replica looks for changes by itself. Pages are answered, so the process is ready.
      ...(site.purges.isOn
        ? site.purges.isUp
          ? { purges: 'shared', purgesPosition: site.purges.position, leads: site.purges.isLeading }
          : { purges: 'alone', purgesReason: site.purges.reason }
        : {}),
      // A cache in front that cannot be purged shows old pages. The site answers the new ones, so the process is ready.
      ...(site.cdnPurger && { cdnPurges: purgesInFront(site.cdnPurger) }),
      webhook: {
        lastEventAt: site.webhookOutcomes.lastEventAt,
        lastEventHost: site.webhookOutcomes.lastEventHost,
        lastMissed: site.webhookOutcomes.lastMissed,
      },
      startedAt: STARTED_AT,
      pages: pages.size.positive,
      contentCache: content.cache.size,
      outbox: outbox.state,
      ...(outbox.queue && queueState(outbox.queue)),
    });
  });
  app.use(requireOpsHost(config));
  app.get('/metrics', fromThisMachineOrWithToken(config.opsToken), async (_req, res) => {
    res.set('Content-Type', metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  const { replicas } = site;
  if (replicas) {
    app.get('/replicas', fromThisMachineOrWithToken(config.opsToken), async (_req, res) => {
      const found = await replicas.list().catch((error: Error) => error);
      if (found instanceof Error)
        res.status(503).json({ error: `The shared store does not work: ${found.message}` });
      else res.json({ replicas: found });
    });
  }
  app.get('/doctor', fromThisMachineOrWithToken(config.opsToken), async (_req, res) => {
    const { report } = site.doctor;
    if (report) res.json(report);
    else if (site.purges.mayRun) res.status(503).json({ error: 'The CMS has not been examined yet' });
    else res.status(503).json(await examiner(replicas));
  });
  if (config.opsToken !== null) {
    const authorized = requireToken(config.opsToken);
    app.get('/cache', authorized, (req, res) => {
      const limit = Number(req.query.limit) || DEFAULT_LIMIT;
      const now = steadyNow();
      const entries: object[] = [];
      for (const { key, entry, isFresh } of pages.entries()) {
        if (entries.length >= limit) break;
        const { status } = entry.value;
        const ageMs = now - entry.generatedAt;
        entries.push({
          key,
          status,
          ageMs,
          fresh: isFresh,
          bytes: sizeOfPage(entry.value),
          tags: entry.tags,
        });
      }
      res.json({
        pages: pages.size.positive,
        negativePages: pages.size.negative,
        content: content.cache.size,
        problems: problems.newest(limit),
        entries,
      });
    });
    app.delete('/cache', authorized, async (req, res) => {
      const { tag } = req.query;
      if (typeof tag !== 'string' || tag === '') {
        res.status(400).json({ error: "Say which tag: DELETE /cache?tag=articles, or '*' for everything" });
        return;
      }
      site.invalidation.invalidate([tag]);
      site.purges.share({ kind: 'ops-purge', tag, by: config.replicaId ?? os.hostname() });
      const isShared = await site.purges.settled();
      // While the shared log does not work, they do so as soon as it works again.
      const others = site.purges.isOn ? { others: isShared ? 'reached' : 'not reached' } : {};
      site.log.info({ tag, ...others }, 'cache invalidated by ops');
      res.json({ purged: [tag], ...others });
    });
    app.post('/cache', authorized, lossCommand(site));
  }
  app.use((_req, res) => {
    res.status(404).json({
      error: 'Not found',
      endpoints: ['/livez', '/healthz', '/readyz', '/metrics', '/replicas', '/doctor', '/cache'],
    });
  });
  return app;
}

/** Without the shared store each replica asks the CMS for itself. The reason is for operators, and that of the client is in the log. */
function storeState({ isUp, reason }: SharedStoreState): object {
  if (isUp) return { shared: 'up' };
  const problem = storeProblem(reason);
  return {
    shared: 'down',
    sharedReason: problem.reason,
    sharedEffect: 'each replica asks the CMS for itself; pages are answered and messages accepted as before',
    sharedRemedy: problem.remedy,
    sharedRunbook: 'docs/runbook.md, “The shared store does not work”',
  };
}

/** A queue that cannot be used does not keep pages from being answered: messages are accepted, and wait on disk. */
function queueState({ isUp, problem }: QueueReport): object {
  if (isUp) return { queue: 'up' };
  return { queue: 'down', queueReason: problem?.reason, queueRemedy: problem?.remedy };
}

/** @returns which other replica examines the CMS. It is in no list for a moment after its start, and after the end of the one before it. */
async function examiner(replicas: Site['replicas']): Promise<object> {
  const others = (await replicas?.list().catch(() => [])) ?? [];
  const { replica = null, host, ops } = others.find(({ leads, isMissing }) => leads && !isMissing) ?? {};
  if (ops === undefined)
    return { error: 'Another replica examines the CMS: ask the ops port of the one that leads in /replicas' };
  const where = `${ops} on ${host}`;
  return {
    error: `Another replica examines the CMS: ask the ops port of ${replica ?? 'the one'} (${where})`,
    leader: { replica, host, ops },
  };
}

/** @returns `sent`, or the failure of each cache in front whose last purge has failed, by its name. */
function purgesInFront({ failures }: Pick<CdnPurger, 'failures'>): 'sent' | object {
  const failing = failures();
  return failing.size === 0 ? 'sent' : { failing: Object.fromEntries(failing) };
}

/** `POST /cache?accept=TYPE` and `POST /cache?restore=TYPE`. */
function lossCommand({ lossCommands }: Pick<Site, 'lossCommands'>): RequestHandler {
  return async ({ query: { accept, restore } }, res) => {
    const [path, other] = [accept, restore].filter(value => value !== undefined);
    if (typeof path !== 'string' || other !== undefined || !isServedPath(path)) {
      res.status(400).json({
        error: 'Say which content type: POST /cache?accept=articles, or POST /cache?restore=articles',
      });
    } else if (restore !== undefined) {
      const restored = await lossCommands.restore(path);
      if (restored > 0) res.json({ restored });
      else res.status(409).json({ error: `Nothing of '${path}' was removed within a day` });
    } else if (await lossCommands.accept(path)) res.json({ accepted: path });
    else res.status(409).json({ error: `'${path}' has lost no entries that could be accepted` });
  };
}

/**
 * Refuses a request under a name that is not in OPS_HOSTS. Another site may give its own name the address of this machine (DNS rebinding), and its scripts
 * would then read the answers. They do not know the token.
 */
function requireOpsHost({ opsHosts, opsToken }: Pick<Config, 'opsHosts' | 'opsToken'>): RequestHandler {
  const isListed = servedHosts({ publicOrigin: 'http://localhost', allowedHosts: opsHosts });
  return ({ headers: { host = '', authorization } }, res, next) => {
    const address = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    const bearsToken = opsToken !== null && bearsSecret(authorization, opsToken);
    if (isLoopbackHost(host) || isIP(address) !== 0 || isListed(host) || bearsToken) next();
    else res.status(421).json({ error: 'Add this host to OPS_HOSTS, or send OPS_TOKEN as the bearer token' });
  };
}

/**
 * Lets a request of this machine pass, such as that of a person in the container, and any other one with the token. Without a configured token
 * no other machine is let in, so that an ops port on all interfaces does not tell the world how the site is doing.
 */
function fromThisMachineOrWithToken(token: string | null): RequestHandler {
  const authorized = token === null ? null : requireToken(token);
  return (req, res, next) => {
    if (isLoopbackAddress(req.socket.remoteAddress)) next();
    else if (authorized) authorized(req, res, next);
    else res.status(403).json({ error: 'Set OPS_TOKEN, and send it as the bearer token' });
  };
}

function requireToken(token: string): RequestHandler {
  return (req, res, next) => {
    if (bearsSecret(req.get('authorization'), token)) return next();
    res.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'Send OPS_TOKEN as the bearer token' });
  };
}
