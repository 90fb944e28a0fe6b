/** One rendition of an image, as the content backend scaled it. */
export interface ImageFormat {
  /** A path below `/uploads/`, or an absolute address on an allowed origin. */
  src: string;
  width: number;
  height: number;
}

/** A picture whose address has passed the allow-list of `server/content/safe-address.ts`. */
export interface Image {
  src: string;
  /** The alternative text. An empty string marks a decorative picture. */
  alt: string;
  /** The size in pixels. Null when the backend does not know it (some SVG files). */
  width: number | null;
  height: number | null;
  /** The backend's smaller renditions, narrowest first. Empty for a picture that the site scales itself. */
  formats: readonly ImageFormat[];
  /** Whether the site makes renditions of the picture. */
  scaled: boolean;
}

/** The widths of the renditions that the site makes, in pixels. No picture is enlarged. */
export const RENDITION_WIDTHS: readonly number[] = [320, 640, 960, 1280, 1920];
/** The formats of these renditions. Browsers choose the first that they support, so the smaller one comes first. */
export const RENDITION_FORMATS = ['avif', 'webp'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/**
 * The picture of a page in a shared link: the size that Facebook, LinkedIn, X and Slack show in full, a type that all of them read, and the weight
 * under which WhatsApp shows it.
 */
export const SHARE_PICTURE = { width: 1200, height: 630, type: 'image/jpeg', maxBytes: 300_000 } as const;
/** The address of the picture of a shared link that is cut out of a picture. */
export const SHARE_PICTURE_PATH = '/images/share.jpg';
/** The address of the picture of a shared link that the site draws. */
export const SHARE_CARD_PATH = '/images/card.jpg';

/** @returns the address of a picture as shared links show it. */
export function sharePictureOf(src: string): string {
  return `${SHARE_PICTURE_PATH}?src=${encodeURIComponent(src)}`;
}

/** @returns the renditions of a picture in a format, as a `srcset` attribute. */
export function renditionSet({ src, width }: Pick<Image, 'src' | 'width'>, format: RenditionFormat): string {
  const full = width ?? Number.POSITIVE_INFINITY;
  return RENDITION_WIDTHS.filter((_, index) => (RENDITION_WIDTHS[index - 1] ?? 0) < full)
    .map(wide => `/images/${wide}.${format}?src=${encodeURIComponent(src)} ${Math.min(wide, full)}w`)
    .join(', ');
}
