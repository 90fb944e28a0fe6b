import type { Request, RequestHandler, Response } from 'express';
import { contentTypeOf } from '../http/content-type.ts';
import { isReading } from '../http/require-reading.ts';
import type { Site } from '../site.ts';

/**
 * Serves `/assets/**` of earlier builds, for tabs that were opened before a deploy. The listener answers requests for assets of the
 * running build itself (`built-assets.ts`). Assets of earlier builds are requested rarely and stored uncompressed.
 *
 * @param hasRedirect tells whether the redirect table has the address of a missing file.
 */
export function earlierBuilds(
  { earlierBuilds: builds }: Pick<Site, 'earlierBuilds'>,
  hasRedirect: (req: Request, res: Response) => Promise<boolean>,
): RequestHandler {
  return async (req, res, next) => {
    // A later step refuses every other method.
    if (!req.path.startsWith('/assets/') || !isReading(req)) return next();
    const asset = await builds.find(req.path.slice('/assets/'.length));
    if (asset) {
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.setHeader('Content-Type', contentTypeOf(req.path));
      res.setHeader('Content-Length', asset.byteLength);
      res.end(asset);
      return;
    }
    if (await hasRedirect(req, res)) return next();
    // No kept build has the asset. The answer must not be cached.
    res.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found');
  };
}
