import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Request, Response } from 'express';
import { SHARE_PICTURE } from '../../../shared/content/image.ts';
import { type ReaderParts, readerFor } from '../../content/reading/reader-for-request.ts';
import { scopeOf } from '../../http/request/request-scope.ts';
import { sendStoredFile } from '../../http/send-file.ts';
import { isShareable } from '../../wire/is-scaled.ts';
import { splitVersion } from '../file-versions.ts';
import type { StoredFile } from '../media-store.ts';
import { headersOf } from '../media-type.ts';
import { ImageRefusedError } from '../scaling/scaling-messages.ts';
import type { ImageRenditions } from './image-renditions.ts';

export interface DefaultPictureParts extends ReaderParts {
  readonly images: Pick<ImageRenditions, 'get' | 'has'>;
  readonly distDir: string;
}

/** The lifetime in HTTP caches, in seconds: short, because a later request may find the real picture. */
const MAX_AGE_S = 60;

/** Sends the default picture of the settings, else of the build. Logs why the real picture is missing. */
export async function sendDefaultPicture(
  parts: DefaultPictureParts,
  req: Request,
  res: Response,
  reason: unknown,
): Promise<void> {
  const refusal = reason instanceof ImageRefusedError && reason.title !== null ? reason : null;
  scopeOf(res).log.warn(
    {
      code: 'media-share-picture-failed',
      ...(refusal ? { title: refusal.title, reason: refusal.message } : { err: reason }),
      address: req.originalUrl,
      effect: 'a shared link shows the default picture',
    },
    'images: a share picture could not be made',
  );
  const found = (await ofSettings(parts, res)) ?? (await ofBuild(parts.distDir));
  const caching = { 'Cache-Control': `public, max-age=${MAX_AGE_S}` };
  await sendStoredFile(res, found, headersOf(found.type, req.path), caching);
}

/** @returns the share picture of the cached settings; null without one, or if it cannot be made either. */
async function ofSettings(parts: DefaultPictureParts, res: Response): Promise<StoredFile | null> {
  const image = readerFor(parts, res).cachedSettings()?.shareImage ?? null;
  if (!image || !isShareable(image)) return null;
  const { address: src } = splitVersion(image.src);
  const request = { src, width: SHARE_PICTURE.width, format: 'share' } as const;
  const found = await parts.images.get(request, scopeOf(res).signal).catch(() => null);
  return found === 'unavailable' ? null : found;
}

async function ofBuild(distDir: string): Promise<StoredFile> {
  const file = path.join(distDir, 'server/cards/default.jpg');
  const { size: bodyBytes, mtimeMs } = await stat(file);
  return { file, bodyBytes, type: SHARE_PICTURE.type, etag: `"${mtimeMs.toString(36)}-default"` };
}
