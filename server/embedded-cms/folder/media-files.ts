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

/** Image types with a size to read. The package that knows all other types loads after the first page. */
const IMAGES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** Describes an upload. `name` is its path below `content/uploads`; `read` is called for images. */
export async function describeMediaFile(
  name: string,
  read: () => Promise<Buffer>,
  stats: { size: number; mtimeMs: number },
): Promise<MediaFile> {
  const ext = extname(name).toLowerCase();
  const image = IMAGES[ext];
  const size = image ? imageSize(await read(), image) : null;
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
      get mime() {
        return image ?? (lookup(ext) || 'application/octet-stream');
      },
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
