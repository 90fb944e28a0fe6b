import type { ImageRenditions } from './image-renditions.ts';
import type { MediaStore } from './media-store.ts';

/**
 * Ends what is in flight about files of the media library that have changed, and removes deleted ones with their renditions. The events are noted
 * in the log before: what is fetched from then on is of after them.
 *
 * @param paths below `/uploads/`.
 */
export async function forgetFiles(
  {
    media,
    images,
  }: { media: Pick<MediaStore, 'changed' | 'remove'>; images: Pick<ImageRenditions, 'remove'> },
  paths: readonly string[],
  areDeleted: boolean,
): Promise<void> {
  for (const path of paths) media.changed(path);
  if (areDeleted) await Promise.all(paths.flatMap(path => [media.remove(path), images.remove(path)]));
}
