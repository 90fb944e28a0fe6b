import type { RequestHandler } from 'express';
import { contentTypeOf } from '../http/content-type.ts';
import type { Site } from '../site.ts';

/**
 * Serves `/assets/**` of earlier builds, for tabs that were opened before a deploy. Assets of the running build are answered
 * before the steps (`built-assets.ts`). Earlier ones are kept uncompressed, because they are requested rarely.
 */
export function earlierBuilds({ earlierBuilds: builds }: Pick<Site, 'earlierBuilds'>): RequestHandler {
  return async (req, res, next) => {
    if (!req.path.startsWith('/assets/')) return next();
    const asset = await builds.find(req.path.slice('/assets/'.length));
    if (asset) {
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.setHeader('Content-Type', contentTypeOf(req.path));
      res.setHeader('Content-Length', asset.byteLength);
      res.end(asset);
      return;
    }
    // The chunk of a build that is no longer kept. The answer must not be cached.
    res.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found');
  };
}
