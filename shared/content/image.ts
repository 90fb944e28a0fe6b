export interface ImageFormat {
  /** A path below `/uploads/`, or an absolute address on an allowed origin. */
  src: string;
  width: number;
  height: number;
}

/** A picture whose address has passed `server/addresses/safe-address.ts`. */
export interface Image {
  src: string;
  /** Empty for a decorative picture. */
  alt: string;
  /** Null if the backend does not know the size (some SVG files). */
  width: number | null;
  height: number | null;
  /** The backend's renditions, narrowest first. Empty for a picture that the site scales. */
  formats: readonly ImageFormat[];
  scaled: boolean;
}

/** The widths of the site's renditions, in pixels. No picture is enlarged. */
export const RENDITION_WIDTHS: readonly number[] = [320, 640, 960, 1280, 1920];
/** Browsers choose the first format that they support, so the smaller one comes first. */
export const RENDITION_FORMATS = ['avif', 'webp'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** The picture of a shared link: all readers show this size and type, and WhatsApp this weight. */
export const SHARE_PICTURE = { width: 1200, height: 630, type: 'image/jpeg', maxBytes: 300_000 } as const;
/** Cut out of a picture. */
export const SHARE_PICTURE_PATH = '/images/share.jpg';
/** Drawn by the site. */
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
