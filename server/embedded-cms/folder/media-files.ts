import { basename, extname } from 'node:path';
import { lookup } from 'mime-types';
import { imageSize } from '../../media/renditions/image-size.ts';
import type { JsonRecord } from '../content-types.ts';
import { stableId } from '../stable-id.ts';

export interface MediaFile {
  id: number;
  documentId: string;
  attributes: JsonRecord;
}

/** The types whose size `imageSize` reads. */
const SIZED = ['image/svg+xml', 'image/png', 'image/jpeg'];

/** Describes an upload. `name` is its path below `content/uploads`; `read` is called for images. */
export async function describeMediaFile(
  name: string,
  read: () => Promise<Buffer>,
  stats: { size: number; mtimeMs: number },
): Promise<MediaFile> {
  const ext = extname(name).toLowerCase();
  const mime = lookup(ext) || 'application/octet-stream';
  const size = SIZED.includes(mime) ? imageSize(await read(), mime) : null;
  const time = new Date(stats.mtimeMs).toISOString();
  return {
    ...stableId('media', name),
    attributes: {
      name: basename(name),
      alternativeText: null,
      caption: null,
      focalPoint: null,
      width: size?.width ?? null,
      height: size?.height ?? null,
      formats: null,
      hash: basename(name, extname(name)),
      ext,
      mime,
      // Convert to kilobytes, as Strapi does.
      size: Math.round(stats.size / 10) / 100,
      url: `/uploads/${name.split('/').map(encodeURIComponent).join('/')}`,
      previewUrl: null,
      provider: 'local',
      provider_metadata: null,
      createdAt: time,
      updatedAt: time,
      publishedAt: time,
    },
  };
}
