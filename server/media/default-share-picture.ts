import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Request, Response } from 'express';
import { SHARE_PICTURE } from '../../shared/content/image.ts';
import type { Settings } from '../../shared/content/settings.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { sendStoredFile } from '../http/send-file.ts';
import type { Site } from '../site.ts';
import { splitVersion } from './file-versions.ts';
import { ImageRefusedError } from './image-refused-error.ts';
import { isShareable } from './is-scaled.ts';
import type { StoredFile } from './media-store.ts';
import { headersOf } from './media-type.ts';

/** The parts of the site with which the default picture is found. */
export type DefaultPictureSite = Pick<Site, 'content' | 'metrics' | 'images' | 'distDir'>;

/** How long caches keep a picture that stands for another one, in seconds. The next request may find that one. */
const MAX_AGE_S = 60;

/**
 * Sends a picture in place of one of a shared link that cannot be made: that of the settings, else the one of the build. Logs the reason: that of
 * a card which cannot be drawn with its title in place of a stack.
 */
export async function sendDefaultPicture(
  site: DefaultPictureSite,
  req: Request,
  res: Response,
  reason: unknown,
): Promise<void> {
  const refusal = reason instanceof ImageRefusedError && reason.title !== null ? reason : null;
  scopeOf(res).log.warn(
    {
      ...(refusal ? { title: refusal.title, reason: refusal.message } : { err: reason }),
      address: req.originalUrl,
      effect: 'a shared link shows the default picture',
    },
    'images: the picture of a shared link cannot be made',
  );
  const found = (await ofSettings(site, res)) ?? (await ofBuild(site.distDir));
  const caching = { 'Cache-Control': `public, max-age=${MAX_AGE_S}` };
  await sendStoredFile(res, found, headersOf(found.type, req.path), caching);
}

/** @returns the picture of the settings as they are known; null where there is none, and where it cannot be made either. */
async function ofSettings(site: DefaultPictureSite, res: Response): Promise<StoredFile | null> {
  const image = readerFor(site, res).peek<Settings>('settings')?.shareImage ?? null;
  if (!image || !isShareable(image)) return null;
  const { address: src } = splitVersion(image.src);
  const request = { src, width: SHARE_PICTURE.width, format: 'share' } as const;
  const found = await site.images.get(request, scopeOf(res).signal).catch(() => null);
  return found === 'unavailable' ? null : found;
}

async function ofBuild(distDir: string): Promise<StoredFile> {
  const file = path.join(distDir, 'server/cards/default.jpg');
  const { size: bodyBytes, mtimeMs } = await stat(file);
  return { file, bodyBytes, type: SHARE_PICTURE.type, etag: `"${mtimeMs.toString(36)}-default"` };
}
