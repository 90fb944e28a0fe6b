import { isIP } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import type { BuildManifest } from '../shared/payload/build-manifest.ts';
import type { CdnPurger } from './cdn/cdn-purger.ts';
import type { Backend } from './compose/backend.ts';
import type { Changes } from './compose/changes.ts';
import type { Content } from './compose/content.ts';
import type { Rooms } from './compose/gauges.ts';
import type { SiteOptions } from './compose/options.ts';
import type { Storage } from './compose/storage.ts';
import type { Config } from './config/config.ts';
import { isLoopbackAddress, isLoopbackHost } from './http/request/request-origin.ts';
import { bearsSecret } from './http/security/bearer-token.ts';
import { servedHosts } from './http/security/served-hosts.ts';
import { STARTED_AT } from './ops/process/process-facts.ts';
import { steadyNow } from './ops/steady-clock.ts';
import type { QueueReport } from './outbox/transport.ts';
import type { PageCache } from './page-cache/page-cache.ts';
import { sizeOfPage } from './page-cache/stored-page.ts';
import type { PurgeSharing } from './replicas/purge-sharing.ts';
import type { Replicas } from './shared-store/replicas.ts';
import { storeProblem } from './shared-store/server-fault.ts';
import type { SharedStoreState } from './shared-store/shared-store.ts';
import { namedTypes, servedType } from './wire/described-types.ts';

type SiteInputs = Pick<SiteOptions, 'config' | 'log'>;
type RoomsShown = Pick<Rooms, 'metrics' | 'outbox' | 'contentWarming' | 'doctor' | 'readiness'>;

export interface OpsParts extends SiteInputs, RoomsShown, Storage, Backend, Content, Changes {
  readonly manifest: BuildManifest;
  readonly pages: PageCache;
  /** Answers `/` and the addresses of its forms. Passes on all other requests. */
  readonly opsPage: RequestHandler;
}

const DEFAULT_LIMIT = 1_000;

const REDIRECTS_MS = 30_000;

export const OPS_HEADERS = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;

/** The application of the ops port. Probes may use any host; other paths need a host of OPS_HOSTS. */
export function createOpsApp(parts: OpsParts): Express {
  const { config, replicas } = parts;
  const local = fromThisMachineOrWithToken(config.opsToken);
  const app = express();
  app.disable('x-powered-by');
  app.use((_req, res, next) => {
    res.set(Object.fromEntries(OPS_HEADERS));
    next();
  });
  app.use(countRequest(parts));
  app.get(['/livez', '/healthz'], (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', showReadiness(parts));
  app.use(requireOpsHost(config));
  app.get('/metrics', local, showMetrics(parts));
  if (replicas) app.get('/replicas', local, listReplicas(replicas));
  app.get('/doctor', local, showFindings(parts));
  if (config.opsToken !== null) {
    const authorized = requireToken(config.opsToken);
    app.get('/cache', authorized, listCache(parts));
    app.delete('/cache', authorized, purgeTag(parts));
    app.get('/redirects', authorized, listRedirects(parts));
    app.post('/cache', authorized, lossCommand(parts));
  }
  app.use(parts.opsPage);
  app.use((_req, res) => {
    res.status(404).json({
      error: 'Not found',
      endpoints: [
        '/',
        '/livez',
        '/healthz',
        '/readyz',
        '/metrics',
        '/replicas',
        '/doctor',
        '/cache',
        '/redirects',
      ],
    });
  });
  return app;
}

function countRequest({ metrics, config: { opsToken } }: OpsParts): RequestHandler {
  return ({ method, headers: { authorization } }, res, next) => {
    const startedAt = performance.now();
    if (opsToken !== null && authorization !== undefined) {
      const outcome = bearsSecret(authorization, opsToken) ? 'used' : 'refused';
      metrics.count('site_secret_uses_total', 'OPS_TOKEN', outcome);
    }
    res.once('close', () =>
      metrics.requestDone('ops', method, res.statusCode, performance.now() - startedAt),
    );
    next();
  };
}

/**
 * Answers 200 from the end of the start-up until shutdown begins, even with stale content. Failures that do
 * not stop the site from serving pages are listed in `degraded`.
 */
function showReadiness(parts: OpsParts): RequestHandler {
  const { readiness, manifest, content, pages, outbox, config, shared, purges, webhookOutcomes } = parts;
  return async (_req, res) => {
    const disk = await parts.diskHealth.probe();
    const { damaged } = parts.diskHealth;
    const { state } = readiness;
    const { hasFormerSecret: _, ...webhook } = webhookOutcomes.last;
    res.status(readiness.isReady ? 200 : 503).json({
      status: state === 'loading' ? 'loading content' : state,
      degraded: readiness.degraded,
      build: manifest.id,
      ...(config.replicaId === null ? {} : { replica: config.replicaId }),
      backend: parts.backendState(),
      media: Object.fromEntries(
        Array.from(parts.mediaOrigins.states(), ([name, isUp]) => [name, isUp ? 'up' : 'down']),
      ),
      contentTypes: parts.contentStates.reports(),
      contentWarm: parts.contentWarming.progress,
      ...(disk.isWritable
        ? { disk: 'writable' }
        : { disk: 'unwritable', diskReason: disk.error.message, diskRemedy: disk.remedy }),
      ...(damaged.length > 0 && { damaged: damaged.map(file => path.relative(config.dataDir, file)) }),
      ...(shared && storeState(shared.state)),
      ...(purges.isOn && purgesState(purges)),
      ...(parts.cdnPurger && { cdnPurges: purgesInFront(parts.cdnPurger) }),
      webhook,
      startedAt: STARTED_AT,
      pages: pages.size.positive,
      contentCache: content.cache.size,
      outbox: outbox.state,
      ...(outbox.queue && queueState(outbox.queue)),
    });
  };
}

function showMetrics({ metrics: { registry } }: OpsParts): RequestHandler {
  return async (_req, res) => {
    res.set('Content-Type', registry.contentType).send(await registry.metrics());
  };
}

function listReplicas(replicas: Replicas): RequestHandler {
  return async (_req, res) => {
    const found = await replicas.list().catch((error: Error) => error);
    if (found instanceof Error)
      res.status(503).json({ error: `The shared store does not work: ${found.message}` });
    else res.json({ replicas: found });
  };
}

function showFindings({ doctor, purges, replicas }: OpsParts): RequestHandler {
  return async (_req, res) => {
    if (doctor.report) res.json(doctor.report);
    else if (purges.mayRun) res.status(503).json({ error: 'The CMS has not been examined yet' });
    else res.status(503).json(await examiner(replicas));
  };
}

function listCache({ pages, content, problems }: OpsParts): RequestHandler {
  return (req, res) => {
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
  };
}

/** Lists the redirects of editors and the former addresses of entries, for `npm run export`. */
function listRedirects({ content }: OpsParts): RequestHandler {
  return async (_req, res) => {
    const reader = content.openReader({ signal: AbortSignal.timeout(REDIRECTS_MS) });
    const { exact, wildcards } = await reader.redirects();
    const renamed = namedTypes.flatMap(([, type]) =>
      type.route && 'previousSlugs' in type.fields ? [{ type, route: type.route }] : [],
    );
    const former = renamed.map(async ({ type, route }) =>
      Array.from(await reader.previousSlugs(type), ([before, { now }]) => ({ route, before, now })),
    );
    res.json({
      rows: [...exact.values(), ...wildcards.values()],
      former: (await Promise.all(former)).flat(),
    });
  };
}

function purgeTag({ applyChange, purges, config, log }: OpsParts): RequestHandler {
  return async (req, res) => {
    const { tag } = req.query;
    if (typeof tag !== 'string' || tag === '') {
      res.status(400).json({ error: "Say which tag: DELETE /cache?tag=articles, or '*' for everything" });
      return;
    }
    const by = config.replicaId ?? os.hostname();
    await applyChange({ kind: 'ops-purge', tag, by }, 'operator');
    const isShared = await purges.settled();
    // `sent` means written to the shared log. If the log is down, the tag is written when it works again.
    const others = purges.isOn ? { others: isShared ? 'sent' : 'not sent' } : {};
    log.info({ code: 'cache-invalidated', tag, ...others }, 'cache: an operator has invalidated a tag');
    res.json({ purged: [tag], ...others });
  };
}

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

function queueState({ isUp, problem }: QueueReport): object {
  if (isUp) return { queue: 'up' };
  return { queue: 'down', queueReason: problem?.reason, queueRemedy: problem?.remedy };
}

/** @returns an error that names the replica to ask. A replica that has just started is not listed yet. */
async function examiner(replicas: Replicas | null): Promise<object> {
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

function purgesState(purges: PurgeSharing): object {
  return purges.isUp
    ? { purges: 'shared', purgesPosition: purges.position, leads: purges.isLeading }
    : { purges: 'alone', purgesReason: purges.reason };
}

function purgesInFront(purger: Pick<CdnPurger, 'failures'>): 'sent' | object {
  const failing = purger.failures();
  return failing.size === 0 ? 'sent' : { failing: Object.fromEntries(failing) };
}

function lossCommand({ applyChange, contentStates }: OpsParts): RequestHandler {
  return async ({ query: { accept, restore } }, res) => {
    const [type, other] = [accept, restore].filter(value => value !== undefined);
    if (typeof type !== 'string' || other !== undefined || !servedType(type)) {
      res.status(400).json({
        error: 'Say which content type: POST /cache?accept=articles, or POST /cache?restore=articles',
      });
    } else if (restore !== undefined) {
      const { restored } = await applyChange({ kind: 'loss-restored', type }, 'operator');
      if (restored) res.json({ restored });
      else res.status(409).json({ error: `Nothing of '${type}' was removed within a day` });
    } else {
      const { tags } = await applyChange({ kind: 'loss-accepted', type }, 'operator');
      const { [type]: own, ...others } = contentStates.reports();
      const held = Object.entries(others).filter(([, { state }]) => state === 'emptied');
      if (tags.length > 0)
        res.json({
          accepted: type,
          held: Object.fromEntries(held.map(([path, { reason }]) => [path, reason])),
        });
      else
        res.status(409).json({
          error: `'${type}' has lost no entries that could be accepted`,
          ...(own && { reason: own.reason, remedy: own.remedy }),
        });
    }
  };
}

/** Refuses hosts outside OPS_HOSTS, because DNS rebinding would let other sites' scripts read responses. */
function requireOpsHost({ opsHosts, opsToken }: Pick<Config, 'opsHosts' | 'opsToken'>): RequestHandler {
  const isListed = servedHosts({ publicOrigin: 'http://localhost', allowedHosts: opsHosts });
  return ({ headers: { host = '', authorization } }, res, next) => {
    const address = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    const bearsToken = opsToken !== null && bearsSecret(authorization, opsToken);
    if (isLoopbackHost(host) || isIP(address) !== 0 || isListed(host) || bearsToken) next();
    else res.status(421).json({ error: 'Add this host to OPS_HOSTS, or send OPS_TOKEN as the bearer token' });
  };
}

/** Allows requests from this machine, and others with the token, so that an open port leaks nothing. */
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
