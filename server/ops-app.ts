import express, { type Express, type RequestHandler } from 'express';
import { bearsSecret } from './http/bearer-token.ts';
import { sizeOfPage } from './page-cache/stored-page.ts';
import type { Site } from './site.ts';

/** The entries and the problems that `GET /cache` lists at most, unless `?limit=` sets another limit. */
const DEFAULT_LIMIT = 1_000;

/**
 * Creates the endpoints for operators, which have a port of their own:
 *
 * - `/healthz` says that the process runs.
 * - `/readyz` says that the process can answer `/`, fresh or stale. A draining process runs and is not ready.
 * - `/metrics` is for Prometheus.
 * - `/cache`, with OPS_TOKEN, lists the problems of the content and the stored pages, and invalidates tags.
 */
export function createOpsApp(site: Site, isDraining: () => boolean): Express {
  const { startUp, manifest, content, problems, pages, outbox, metrics, config } = site;
  const app = express();
  app.disable('x-powered-by');
  app.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    const disk = await site.diskHealth.probe();
    const status = isDraining() ? 'draining' : startUp.ready ? 'ready' : 'loading content';
    res.status(status === 'ready' ? 200 : 503).json({
      status,
      build: manifest.id,
      backend: site.backendState(),
      // The content types that are empty, emptied, refused or down, with reason and remedy.
      contentTypes: site.contentStates.reports(),
      // A disk that cannot be written keeps nothing for the next process. Pages are answered all the same, so the process is ready.
      ...(disk.isWritable ? { disk: 'writable' } : { disk: 'unwritable', diskReason: disk.error.message }),
      webhook: { lastEventAt: site.webhookOutcomes.lastEventAt },
      pages: pages.size.positive,
      contentCache: content.cache.size,
      outbox: outbox.state,
    });
  });
  app.get('/metrics', async (_req, res) => {
    res.set('Content-Type', metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  if (config.opsToken !== null) {
    const authorized = requireToken(config.opsToken);
    app.get('/cache', authorized, (req, res) => {
      const limit = Number(req.query.limit) || DEFAULT_LIMIT;
      const now = Date.now();
      const entries = Array.from(pages.entries())
        .slice(0, limit)
        .map(({ key, entry, isFresh }) => ({
          key,
          status: entry.value.status,
          ageMs: now - entry.generatedAt,
          fresh: isFresh,
          bytes: sizeOfPage(entry.value),
          tags: entry.tags,
        }));
      res.json({
        pages: pages.size.positive,
        absent: pages.size.negative,
        content: content.cache.size,
        problems: problems.newest(limit),
        entries,
      });
    });
    app.delete('/cache', authorized, (req, res) => {
      const { tag } = req.query;
      if (typeof tag !== 'string' || tag === '') {
        res.status(400).json({ error: "Say which tag: DELETE /cache?tag=articles, or '*' for everything" });
        return;
      }
      site.invalidation.invalidate([tag]);
      site.log.info({ tag }, 'cache invalidated by ops');
      res.json({ purged: [tag] });
    });
  }
  app.use((_req, res) => {
    res.status(404).json({ error: 'Not found', endpoints: ['/healthz', '/readyz', '/metrics', '/cache'] });
  });
  return app;
}

function requireToken(token: string): RequestHandler {
  return (req, res, next) => {
    if (bearsSecret(req.get('authorization'), token)) return next();
    res.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'Send OPS_TOKEN as the bearer token' });
  };
}
