export interface ImageFormat {
  /** A path below `/uploads/`, or an absolute address on an allowed origin. */
  src: string;
  width: number;
  height: number;
}

/** A picture whose address has passed `server/addresses/safe-address.ts`. */
export interface Image {
  src: string;
  /** The alternative text; empty for a decorative picture. */
  alt: string;
  /** The width; null if the backend does not know it (some SVG files). */
  width: number | null;
  height: number | null;
  /** The backend's renditions, the narrowest first. Empty for a picture that the site scales. */
  formats: readonly ImageFormat[];
  scaled: boolean;
}

/** The widths of the site's renditions, in pixels. Pictures are never enlarged. */
export const RENDITION_WIDTHS: readonly number[] = [320, 640, 960, 1280, 1920];
/** The formats, the smaller one first: browsers choose the first that they support. */
export const RENDITION_FORMATS = ['avif', 'webp'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** The share picture. All readers show this size and type, and WhatsApp accepts this weight. */
export const SHARE_PICTURE = { width: 1200, height: 630, type: 'image/jpeg', maxBytes: 300_000 } as const;
/** The path of a share picture cut out of a picture. */
export const SHARE_PICTURE_PATH = '/images/share.jpg';
/** The path of a share picture drawn by the site. */
export const SHARE_CARD_PATH = '/images/card.jpg';

export function sharePictureOf(src: string): string {
  return `${SHARE_PICTURE_PATH}?src=${encodeURIComponent(src)}`;
}

export function renditionSet({ src, width }: Pick<Image, 'src' | 'width'>, format: RenditionFormat): string {
  const full = width ?? Number.POSITIVE_INFINITY;
  return RENDITION_WIDTHS.filter((_, index) => (RENDITION_WIDTHS[index - 1] ?? 0) < full)
    .map(wide => `/images/${wide}.${format}?src=${encodeURIComponent(src)} ${Math.min(wide, full)}w`)
    .join(', ');
}
