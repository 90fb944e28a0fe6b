import { type Image, SHARE_PICTURE } from '../../shared/content/image.ts';

export const MAX_INPUT_BYTES = 20 * 1024 * 1024;
export const MAX_INPUT_SIDE = 16_000;
export const MAX_INPUT_PIXELS = 40_000_000;
/** The smallest picture for previews of shared links, in pixels: half of the size that apps show. */
export const LEAST_SHARED = { width: SHARE_PICTURE.width / 2, height: SHARE_PICTURE.height / 2 } as const;

/** Whether previews of shared links can show a picture. Apps show no SVG, and small pictures look blurred. */
export function isShareable({ src, width, height }: Pick<Image, 'src' | 'width' | 'height'>): boolean {
  if (src.startsWith('/') && !src.startsWith('/uploads/')) return false;
  if (!/\.(?:png|jpe?g|webp|avif|gif)(?:$|[?#])/i.test(src)) return false;
  const [wide, high] = [width ?? SHARE_PICTURE.width, height ?? SHARE_PICTURE.height];
  if (wide * high > MAX_INPUT_PIXELS || Math.max(wide, high) > MAX_INPUT_SIDE) return false;
  return wide >= LEAST_SHARED.width && high >= LEAST_SHARED.height;
}

/** Whether a picture gets AVIF and WebP renditions. SVG needs none; GIF, WebP and AVIF may be animated. */
export function isScaled(src: string, width: number | null, height: number | null, bytes = 0): boolean {
  if (bytes > MAX_INPUT_BYTES) return false;
  if ((width ?? 0) * (height ?? 0) > MAX_INPUT_PIXELS) return false;
  if (Math.max(width ?? 0, height ?? 0) > MAX_INPUT_SIDE) return false;
  if (src.startsWith('/') && !src.startsWith('/uploads/')) return false;
  return /\.(?:png|jpe?g)(?:$|[?#])/i.test(src);
}
