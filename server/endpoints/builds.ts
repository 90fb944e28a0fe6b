import { Router } from 'express';
import type { Site } from '../site.ts';

/**
 * What the browser asks about builds: `/builds/latest.json`, polled, and `/builds/meta/{id}.json`, which chunks each
 * route needs. In development `/builds/changes` is a stream that tells the page of a rebuild.
 */
export function builds({ manifest, config }: Pick<Site, 'manifest' | 'config'>): Router {
  const router = Router();
  router.get('/builds/latest.json', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ id: manifest.id, timestamp: manifest.timestamp });
  });
  router.get('/builds/meta/:file', (req, res, next) => {
    if (req.params.file !== `${manifest.id}.json`) return next();
    const { id, timestamp, routes } = manifest;
    res.set('Cache-Control', 'public, max-age=31536000, immutable').json({ id, timestamp, routes });
  });
  if (config.devReload) {
    router.get('/builds/changes', (_req, res) => {
      // The server is restarted by each rebuild: the page connects again and sees another id.
      res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' });
      res.write(`retry: 100\ndata: ${manifest.id}\n\n`);
    });
  }
  return router;
}
