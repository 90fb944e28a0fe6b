import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { lookup } from 'mime-types';
import { imageSize } from '../../media/image-size.ts';
import type { JsonRecord } from './content-types.ts';
import { stableId } from './stable-id.ts';

/** A file of `content/uploads`, with the attributes of a Strapi media object. */
export interface MediaFile {
  id: number;
  documentId: string;
  attributes: JsonRecord;
}

/**
 * Describes an upload.
 * @param name its path below `content/uploads`, with forward slashes.
 * @param file its path on disk. It is read for images, whose size is looked up.
 */
export async function describeMediaFile(
  name: string,
  file: string,
  stats: { size: number; mtimeMs: number },
): Promise<MediaFile> {
  const ext = extname(name).toLowerCase();
  const isImage = ['.svg', '.png', '.jpg', '.jpeg'].includes(ext);
  const size = isImage ? imageSize(await readFile(file), ext) : null;
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
      mime: lookup(ext) || 'application/octet-stream',
      // Strapi counts in kilobytes.
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
