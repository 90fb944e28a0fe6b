import type { DecodeContext } from '../wire/decode-context.ts';

/** @returns the size; null if the file has none; `not now` if a later call may find it. */
export type PictureSize = (
  src: string,
) => Promise<{ readonly width: number; readonly height: number } | null | 'not now'>;

/** Adds sizes to pictures, so that the page does not shift. @returns whether a later call may find more. */
export async function measurePictures(
  pictures: readonly Parameters<DecodeContext['unsized']>[],
  sizeOf: PictureSize,
): Promise<boolean> {
  const missing = await Promise.all(
    pictures.map(async ([picture, onUnread]) => {
      const size = await sizeOf(picture.src);
      if (size === null || size === 'not now') onUnread?.();
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
