import { open } from 'node:fs/promises';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { type ImageSize, imageSize } from './image-size.ts';
import type { MediaStore } from './media-store.ts';

/** How long a page may wait for the sizes of its pictures, in ms: it can do without. */
const PATIENCE_MS = 1_000;
/** A picture says how large it is in its first bytes; a photograph may have others before. */
const HEAD_BYTES = 256 * 1024;
const MAX_REMEMBERED = 5_000;

/**
 * Looks up how large a picture is, whose address a text has and whose size it has not.
 *
 * @param src as the media policy gives it.
 * @returns null where that cannot be said, or not soon.
 */
export type PictureSize = (src: string) => Promise<ImageSize | null>;

export function createPictureSize(media: MediaStore): PictureSize {
  const known = new LRUCache<string, ImageSize>({ max: MAX_REMEMBERED });
  return async src => {
    const remembered = known.get(src);
    if (remembered) return remembered;
    try {
      const stored = await media.get(src, AbortSignal.timeout(PATIENCE_MS));
      const extension = path.extname(new URL(src, 'http://site.invalid').pathname).toLowerCase();
      const size = stored && imageSize(await headOf(stored.file), extension);
      if (size) known.set(src, size);
      return size;
    } catch {
      // Whoever asks for the picture itself learns why.
      return null;
    }
  };
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
