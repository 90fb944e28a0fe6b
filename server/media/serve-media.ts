import type { Request, RequestHandler, Response } from 'express';
import type { Settings } from '../../shared/content/settings.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { encodingFor } from '../http/accept-encoding.ts';
import { scopeOf } from '../http/request-scope.ts';
import { sendStoredFile } from '../http/send-file.ts';
import type { Site } from '../site.ts';
import { splitVersion, versionInQuery } from './file-versions.ts';
import { lifetimeOf, mediaCaching } from './media-caching.ts';
import { headersOf, isCompressible, isStyleOrScript } from './media-type.ts';
import { sendStreamedMedia } from './streamed-media.ts';
import { uploadPath } from './upload-path.ts';

/** Types that are always served. Stylesheets and scripts are served if the settings list them. */
const SERVED_TYPES = /^(?:image\/|font\/|video\/|audio\/|text\/vtt$|application\/pdf$)/;
/** How long caches may keep a file, in seconds. */
const MAX_AGE_S = 3_600;

/**
 * Serves the backend's media below `/uploads/` from disk, also while the backend is down. A file whose bytes are of no served type is a
 * 415, whatever its name.
 *
 * @param hasRedirect tells whether the redirect table has the address of a file that is not served.
 */
export function media(
  site: Pick<Site, 'media' | 'fileVersions' | 'content' | 'metrics'>,
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
    const refusal = stored ? await refusalOf(site, stored.type, path, res) : 404;
    if (!stored || refusal) {
      if (stored && 'body' in stored) stored.body.destroy();
      if (await hasRedirect(req, res)) return next();
      res
        .status(refusal ?? 404)
        .set('Cache-Control', 'no-store')
        .type('text/plain');
      res.send(refusal === 415 ? 'Files of this type are not served' : 'Not found');
      return;
    }
    if ('body' in stored) return sendStreamedMedia(res, stored);
    const { type, isOutdated = false } = stored;
    const version = versionInQuery(req.query);
    const encoding = isCompressible(type) ? encodingFor(req.headers['accept-encoding']) : 'identity';
    await sendStoredFile(
      res,
      await site.media.encoded(path, stored, encoding),
      headersOf(type, path),
      mediaCaching(path, lifetimeOf(site.fileVersions, { path, version, isOutdated }, MAX_AGE_S)),
    );
  };
}

/** @returns the status of a file that is not served, else null. */
async function refusalOf(
  site: Pick<Site, 'content' | 'metrics'>,
  type: string,
  path: string,
  res: Response,
): Promise<404 | 415 | null> {
  if (SERVED_TYPES.test(type)) return null;
  if (!isStyleOrScript(type)) return 415;
  const settings: Settings = await readerFor(site, res).settings();
  const listed = [...settings.customCss, ...settings.scripts];
  return listed.some(address => splitVersion(address).address === path) ? null : 404;
}
