import type { PictureSize } from '../../media/picture-sizes.ts';
import type { UnsizedPicture } from '../rich-text/read-rich-text.ts';

/**
 * Writes the sizes of pictures into their attributes, so that the page does not move when they load. Where the source gives the width
 * or the height, the other is calculated from it. A picture whose size cannot be found stays as it is.
 *
 * @returns whether a size is missing that may be found later, because a file could not be fetched now.
 */
export async function measurePictures(
  pictures: readonly UnsizedPicture[],
  sizeOf: PictureSize,
): Promise<boolean> {
  const missing = await Promise.all(
    pictures.map(async picture => {
      const size = await sizeOf(picture.src);
      if (size === 'not now') return true;
      if (size === null) return false;
      const ratio = size.width / size.height;
      const width = picture.width ?? (picture.height ? Math.round(picture.height * ratio) : size.width);
      picture.height ??= Math.max(1, Math.round(width / ratio));
      picture.width = width;
      return false;
    }),
  );
  return missing.includes(true);
}
