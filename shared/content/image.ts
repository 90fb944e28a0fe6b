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

/** @returns the renditions of a picture in a format, as a `srcset` attribute. */
export function renditionSet({ src, width }: Pick<Image, 'src' | 'width'>, format: RenditionFormat): string {
  const full = width ?? Number.POSITIVE_INFINITY;
  return RENDITION_WIDTHS.filter((_, index) => (RENDITION_WIDTHS[index - 1] ?? 0) < full)
    .map(wide => `/images/${wide}.${format}?src=${encodeURIComponent(src)} ${Math.min(wide, full)}w`)
    .join(', ');
}
