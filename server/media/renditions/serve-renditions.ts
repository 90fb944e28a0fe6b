import { STATUS_CODES } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import {
  madePicture,
  pictureMadeOf,
  RENDITION_FORMATS,
  RENDITION_WIDTHS,
  SHARE_PICTURE,
  sharedFocusIn,
} from '../../../shared/content/image.ts';
import type { MediaPolicy } from '../../addresses/safe-address.ts';
import { BackendError, isLoggedOnce, RETRY_AFTER_S, SiteBusyError } from '../../errors.ts';
import { endWithoutBody } from '../../http/end-without-body.ts';
import { scopeOf } from '../../http/request/request-scope.ts';
import { sendStoredFile } from '../../http/send-file.ts';
import { type FileVersions, splitVersion, uploadPath, versionInQuery } from '../file-versions.ts';
import { mediaCaching } from '../media-caching.ts';
import { headersOf } from '../media-type.ts';
import { ImageRefusedError } from '../scaling/scaling-messages.ts';
import { type DefaultPictureParts, sendDefaultPicture } from './default-share-picture.ts';
import type { RenditionRequest } from './image-renditions.ts';

interface ImageParts extends DefaultPictureParts {
  readonly fileVersions: FileVersions;
  readonly mediaAddress: MediaPolicy['mediaAddress'];
}

const MAX_AGE_S = 86_400;

/** Serves `/images/uploads/a.jpg/640.avif` and `/images/640.avif?src=…`. */
export function images(
  parts: ImageParts,
  hasRedirect: (req: Request, res: Response) => Promise<boolean>,
): RequestHandler {
  return async (req, res, next) => {
    let isShared = false;
    try {
      const request = readRequest(parts, req);
      isShared = request.format === 'share';
      const found = await parts.images.get(request, scopeOf(res).signal).catch(error => {
        if (isShared || !(error instanceof SiteBusyError)) throw error;
        return 'unavailable' as const;
      });
      if (found === null) throw new ImageRefusedError(404, 'There is no such picture.');
      if (found === 'unavailable') return redirectTo(res, await standIn(parts, request));
      const { src: path, version } = request;
      const served = { path, version, isOutdated: found.isOutdated };
      const caching = mediaCaching(parts.fileVersions, served, MAX_AGE_S);
      await sendStoredFile(res, found, headersOf(found.type, req.path), caching);
    } catch (error) {
      if (isShared && !scopeOf(res).signal.aborted) return await sendDefaultPicture(parts, req, res, error);
      if (error instanceof ImageRefusedError) {
        if (error.status === 404 && (await hasRedirect(req, res))) return next();
        return refuse(req, res, error.status, error.message);
      }
      if (!(error instanceof SiteBusyError) && !(error instanceof BackendError)) throw error;
      if (error instanceof BackendError)
        scopeOf(res).log[isLoggedOnce(error) ? 'debug' : 'error'](
          { code: 'http-request-failed', err: error },
          'request failed',
        );
      scopeOf(res).trace.cause = 'picture';
      res.set('Retry-After', String(RETRY_AFTER_S));
      refuse(req, res, 503, 'This picture cannot be made right now. Please try again in a moment.');
    }
  };
}

interface AskedRendition extends RenditionRequest {
  /** The address of the picture as it is in the request, with its version. */
  asked: string;
  version: string | null;
}

/** @throws ImageRefusedError */
function readRequest({ mediaAddress }: Pick<ImageParts, 'mediaAddress'>, req: Request): AskedRendition {
  const made = pictureMadeOf(req.path, versionInQuery(req.query));
  const name = made?.name ?? req.path.slice('/images/'.length);
  const [, wide, extension] = /^(\d{1,5})\.([a-z]+)$/.exec(name) ?? [];
  const shared = sharedFocusIn(name);
  const width = shared ? SHARE_PICTURE.width : RENDITION_WIDTHS.find(known => String(known) === wide);
  const format = shared ? 'share' : RENDITION_FORMATS.find(known => known === extension);
  if (!width || !format) {
    const known = `Widths: ${RENDITION_WIDTHS.join(', ')}. Formats: ${RENDITION_FORMATS.join(', ')}.`;
    throw new ImageRefusedError(404, `There is no such rendition. ${known}`);
  }
  const { [made ? 'v' : 'src']: parameter, ...others } = req.query;
  const asked = made?.src ?? parameter;
  if (typeof asked !== 'string' || Object.keys(others).length > 0) {
    throw new ImageRefusedError(400, 'The one parameter is the address of a picture: src.');
  }
  // Refuse an address in another spelling than the media policy's, which pages use.
  const { address: src, version } = splitVersion(asked);
  const isUpload = src.startsWith('/uploads/');
  if (mediaAddress(src) !== src || (src.startsWith('/') && !isUpload)) {
    throw new ImageRefusedError(
      403,
      'Pictures are scaled for the content backend and allowed origins alone.',
    );
  }
  return {
    src: isUpload ? uploadPath(src) : src,
    asked,
    version,
    width,
    format,
    focus: shared?.focus ?? null,
  };
}

/** @returns for AVIF, the address of the WebP rendition if it exists; otherwise that of the original. */
async function standIn({ images }: ImageParts, request: AskedRendition): Promise<string> {
  const webp = { ...request, format: 'webp' as const };
  const isOther = request.format === 'avif' && (await images.has(webp));
  return isOther ? madePicture(request.asked, `${request.width}.webp`) : request.asked;
}

/** Redirects to another picture. Caches must not store the redirect: the rendition may exist soon. */
function redirectTo(res: Response, src: string): void {
  endWithoutBody(res.status(302).set({ Location: src, 'Cache-Control': 'no-store' }));
}

function refuse(req: Request, res: Response, statusCode: number, message: string): void {
  res.status(statusCode).set('Cache-Control', 'no-store').vary('Accept');
  if (req.accepts(['text/plain', 'application/json']) === 'application/json') {
    const statusMessage = STATUS_CODES[statusCode] ?? '';
    res.json({ error: true, url: req.originalUrl, statusCode, statusMessage, message });
  } else {
    res.type('text/plain').send(message);
  }
}
