/** Larger files are not scaled, in bytes. */
export const MAX_INPUT_BYTES = 20 * 1024 * 1024;
/** Pictures of more than this are not scaled, in pixels. */
export const MAX_INPUT_PIXELS = 40_000_000;

/**
 * Whether the site makes AVIF and WebP renditions of a picture that comes without any: it does for PNG and JPEG. SVG needs
 * none. GIF, WebP and AVIF may be animated, and the latter two are small already.
 *
 * @param src an address that the media policy has passed.
 * @param width pixels, null where unknown; the same for `height`.
 * @param bytes size of the file, where it is known.
 */
export function isScaled(src: string, width: number | null, height: number | null, bytes = 0): boolean {
  if (bytes > MAX_INPUT_BYTES) return false;
  if ((width ?? 0) * (height ?? 0) > MAX_INPUT_PIXELS) return false;
  if (src.startsWith('/') && !src.startsWith('/uploads/')) return false;
  return /\.(?:png|jpe?g)(?:$|[?#])/i.test(src);
}
