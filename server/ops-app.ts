import express, { type Express } from 'express';
import type { Site } from './site.ts';

/**
 * The endpoints for those who run the process, on a port of their own: `/healthz` says that the process is alive,
 * `/readyz` that it can answer `/`, fresh or stale. While it drains it is alive and not ready.
 */
export function createOpsApp({ startUp, manifest, content }: Site, isDraining: () => boolean): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', (_req, res) => {
    const status = isDraining() ? 'draining' : startUp.ready ? 'ready' : 'loading content';
    res
      .status(status === 'ready' ? 200 : 503)
      .json({ status, build: manifest.id, contentCache: content.cache.size });
  });
  app.use((_req, res) => {
    res.status(404).json({ error: 'Not found', endpoints: ['/healthz', '/readyz'] });
  });
  return app;
}
