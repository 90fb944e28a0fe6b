import { Router } from 'express';
import { sendCompressedJson } from '../page-cache/send-compressed.ts';
import type { Site } from '../site.ts';

/**
 * Tells browsers about builds. They poll `/builds/latest.json` for the id of the running build; `/builds/meta/{id}.json` lists the chunks
 * of each route. In development `/builds/changes` is a stream that reports a rebuild to the page.
 */
export function builds({ manifest, config }: Pick<Site, 'manifest' | 'config'>): Router {
  const router = Router();
  router.get('/builds/latest.json', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ id: manifest.id, timestamp: manifest.timestamp });
  });
  router.get('/builds/meta/:file', async (req, res, next) => {
    if (req.params.file !== `${manifest.id}.json`) return next();
    const { id, timestamp, routes } = manifest;
    res.set('Cache-Control', 'public, max-age=31536000, immutable');
    await sendCompressedJson(req, res, { id, timestamp, routes });
  });
  if (config.devReload) {
    router.get('/builds/changes', (_req, res) => {
      // Each rebuild restarts the server. The page then connects again and receives another id.
      res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' });
      res.write(`retry: 100\ndata: ${manifest.id}\n\n`);
    });
  }
  return router;
}
