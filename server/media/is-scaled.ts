/** Files of more bytes than this are not scaled. */
export const MAX_INPUT_BYTES = 20 * 1024 * 1024;
/** Pictures with a longer side than this are not scaled, in pixels. */
export const MAX_INPUT_SIDE = 16_000;
/** Pictures of more pixels than this are not scaled. */
export const MAX_INPUT_PIXELS = 40_000_000;

/**
 * Whether the site creates AVIF and WebP renditions of a picture. Only PNG and JPEG get them: SVG needs none, GIF, WebP and AVIF may be
 * animated, and WebP and AVIF are small already.
 *
 * @param src an address that the media policy has accepted.
 * @param width in pixels, null when it is unknown.
 * @param height in pixels, null when it is unknown.
 * @param bytes the size of the file, if it is known.
 */
export function isScaled(src: string, width: number | null, height: number | null, bytes = 0): boolean {
  if (bytes > MAX_INPUT_BYTES) return false;
  if ((width ?? 0) * (height ?? 0) > MAX_INPUT_PIXELS) return false;
  if (Math.max(width ?? 0, height ?? 0) > MAX_INPUT_SIDE) return false;
  if (src.startsWith('/') && !src.startsWith('/uploads/')) return false;
  return /\.(?:png|jpe?g)(?:$|[?#])/i.test(src);
}
