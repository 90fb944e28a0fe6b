/** One rendition of an image, as the content backend scaled it. */
export interface ImageFormat {
  /** A path below `/uploads/`, or an absolute address on an allowed origin. */
  src: string;
  width: number;
  height: number;
}

/** A picture ready to be shown: its address has passed the allow-list of `server/content/safe-address.ts`. */
export interface Image {
  src: string;
  /** The alternative text; an empty string marks a decoration. */
  alt: string;
  /** Pixels; null when the backend does not know them (some SVG files). */
  width: number | null;
  height: number | null;
  /** Smaller renditions, narrowest first. */
  formats: readonly ImageFormat[];
}
