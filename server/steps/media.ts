import type { RequestHandler } from 'express';
import type { Settings } from '../../shared/content/settings.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { scopeOf } from '../request-scope.ts';
import type { Site } from '../site.ts';

/** What content may show. Anything else the backend holds stays there, but for the settings' stylesheets and scripts. */
const SERVED_TYPES = /^(?:image\/[\w.+-]+|font\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)(?:;|$)/;
const STYLE_OR_SCRIPT =
  /^(?:text\/css|text\/javascript|application\/javascript|application\/x-javascript)(?:;|$)/;
/** An SVG file is a document: opened by itself it may neither run nor load anything. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves the backend's media below `/uploads/` from the disk, whatever the backend is doing. */
export function media(site: Site): RequestHandler {
  return async (req, res, next) => {
    if (!req.path.startsWith('/uploads/')) return next();
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.status(405).set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }).end();
      return;
    }
    const path = encodePath(req.path);
    const stored = await site.media.get(path, scopeOf(res).signal);
    const allowed =
      stored &&
      (SERVED_TYPES.test(stored.type) ||
        (STYLE_OR_SCRIPT.test(stored.type) && (await isListed(site, path, res))));
    if (!allowed) {
      res.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found');
      return;
    }
    res.set({
      'Content-Type': stored.type,
      ETag: stored.etag,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': SANDBOX,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    const options = {
      cacheControl: false,
      lastModified: false,
      headers: { 'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400' },
      dotfiles: 'allow' as const,
    };
    await new Promise<void>((resolve, reject) => {
      res.sendFile(stored.file, options, error => (error && !res.headersSent ? reject(error) : resolve()));
    });
  };
}

/** Whether the settings list a stylesheet or script. */
async function isListed(site: Site, path: string, res: Parameters<RequestHandler>[1]): Promise<boolean> {
  const settings: Settings = await readerFor(site, res).settings();
  return settings.customCss.includes(path) || settings.scripts.includes(path);
}

/** One spelling for one file. */
function encodePath(path: string): string {
  return path
    .split('/')
    .map(segment => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
