import type { RequestHandler } from 'express';
import { contentTypeOf } from '../http/content-type.ts';
import type { Site } from '../site.ts';

/**
 * Serves `/assets/**` of earlier builds, for tabs that were opened before a deploy; the running build's are answered
 * before these steps (`built-assets.ts`). Only their plain form is kept: they are asked for rarely.
 */
export function keptAssets({ keptAssets }: Site): RequestHandler {
  return async (req, res, next) => {
    if (!req.path.startsWith('/assets/')) return next();
    const kept = await keptAssets.find(req.path.slice('/assets/'.length));
    if (kept) {
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.setHeader('Content-Type', contentTypeOf(req.path));
      res.setHeader('Content-Length', kept.byteLength);
      res.end(kept);
      return;
    }
    // An old page asks for a chunk of a build long gone: that is no page of ours, and nothing to remember.
    res.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found');
  };
}
