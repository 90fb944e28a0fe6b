import type { Request, RequestHandler, Response } from 'express';
import type { Settings } from '../../shared/content/settings.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { sendStoredFile } from '../http/send-file.ts';
import type { Site } from '../site.ts';
import { sendStreamedMedia } from './streamed-media.ts';
import { uploadPath } from './upload-path.ts';

/** Types that are always served. Stylesheets and scripts are served if the settings list them. */
const SERVED_TYPES = /^(?:image\/[\w.+-]+|font\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)(?:;|$)/;
const STYLE_OR_SCRIPT =
  /^(?:text\/css|text\/javascript|application\/javascript|application\/x-javascript)(?:;|$)/;

/**
 * Serves the backend's media below `/uploads/` from disk, also while the backend is down.
 *
 * @param hasRedirect tells whether the redirect table has the address of a missing file.
 */
export function media(
  site: Pick<Site, 'media' | 'content' | 'metrics'>,
  hasRedirect: (req: Request, res: Response) => Promise<boolean>,
): RequestHandler {
  return async (req, res, next) => {
    if (!req.path.startsWith('/uploads/')) return next();
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.status(405).set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }).end();
      return;
    }
    const path = uploadPath(req.path);
    const stored = await site.media.open(path, scopeOf(res).signal);
    const allowed =
      stored &&
      (SERVED_TYPES.test(stored.type) ||
        (STYLE_OR_SCRIPT.test(stored.type) && (await isListed(site, path, res))));
    if (!allowed) {
      if (stored && 'body' in stored) stored.body.destroy();
      if (await hasRedirect(req, res)) return next();
      res.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found');
      return;
    }
    if ('body' in stored) await sendStreamedMedia(res, stored);
    else await sendStoredFile(res, stored, 'public, max-age=3600, stale-while-revalidate=86400');
  };
}

/** Whether the settings list a stylesheet or script. */
async function isListed(
  site: Pick<Site, 'content' | 'metrics'>,
  path: string,
  res: Parameters<RequestHandler>[1],
): Promise<boolean> {
  const settings: Settings = await readerFor(site, res).settings();
  return settings.customCss.includes(path) || settings.scripts.includes(path);
}
