import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { Settings } from '../../shared/content/settings.ts';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import { encodingFor } from '../http/request/accept-encoding.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { sendStoredFile, setFileHeaders } from '../http/send-file.ts';
import { type FileVersions, splitVersion, uploadPath, versionInQuery } from './file-versions.ts';
import { mediaCaching } from './media-caching.ts';
import type { MediaStore, StreamedMedia } from './media-store.ts';
import { headersOf, isCompressible, isStyleOrScript } from './media-type.ts';

interface MediaParts extends ReaderParts {
  readonly media: Pick<MediaStore, 'open' | 'files'>;
  readonly fileVersions: FileVersions;
}

/** The types that are always served. Stylesheets and scripts are served only if the settings list them. */
const SERVED_TYPES = /^(?:image\/|font\/|video\/|audio\/|text\/vtt$|application\/pdf$)/;
const MAX_AGE_S = 3_600;

/** Serves media files below `/uploads/`. A file whose bytes have a type that is not served is a 415. */
export function media(
  parts: MediaParts,
  hasRedirect: (req: Request, res: Response) => Promise<boolean>,
): RequestHandler {
  return async (req, res, next) => {
    const path = uploadPath(req.path);
    const stored = await parts.media.open(path, scopeOf(res).signal);
    const refusal = stored ? await refusalOf(parts, stored.type, path, res) : 404;
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
    const shown = await parts.media.files.coloured(path, stored);
    // A coloured drawing is never immutable, because the next build may have other colours.
    const version = shown === stored ? versionInQuery(req.query) : null;
    const encoding = isCompressible(type) ? encodingFor(req.headers['accept-encoding']) : 'identity';
    await sendStoredFile(
      res,
      await parts.media.files.encoded(path, shown, encoding),
      headersOf(type, path),
      mediaCaching(parts.fileVersions, { path, version, isOutdated }, MAX_AGE_S),
    );
  };
}

async function refusalOf(
  parts: ReaderParts,
  type: string,
  path: string,
  res: Response,
): Promise<404 | 415 | null> {
  if (SERVED_TYPES.test(type)) return null;
  if (!isStyleOrScript(type)) return 415;
  const settings: Settings = await readerFor(parts, res).settings();
  const listed = [...settings.customCss, ...settings.scripts];
  return listed.some(address => splitVersion(address).address === path) ? null : 404;
}

/** A short lifetime, because a response without an ETag cannot be revalidated. */
const STREAMED_CACHE_CONTROL = 'public, max-age=60';
const MAX_LISTENERS = 20;

/** Streams a file without ETag or ranges. Cuts the connection if the origin fails. */
async function sendStreamedMedia(
  res: Response,
  { body, type, bodyBytes, refusal }: StreamedMedia,
): Promise<void> {
  setFileHeaders(res, headersOf(type, res.req.path));
  res.set('Cache-Control', refusal ?? STREAMED_CACHE_CONTROL);
  if (bodyBytes !== null) res.set('Content-Length', String(bodyBytes));
  if (res.req.method === 'HEAD') {
    body.destroy();
    res.end();
    return;
  }
  // The request and the pipeline add more than ten listeners, which Node would report as a leak.
  res.setMaxListeners(MAX_LISTENERS);
  // Ignore errors of a connection, because the access log has an entry for the request.
  await pipeline(body, res).catch(() => {});
}
