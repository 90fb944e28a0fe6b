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
  /** The focal point that crops keep, in quarters of width and height: `2-2` is the middle. */
  focus?: string;
}

/** Whether a logo is wide enough to contain the site's name. A squarer one needs the name beside it. */
export function hasNameInIt({ width, height }: { width: number; height: number }): boolean {
  return width >= 1.5 * height;
}

export const RENDITION_WIDTHS: readonly number[] = [320, 640, 960, 1280, 1920];
/** The formats, the smaller one first: browsers choose the first that they support. */
export const RENDITION_FORMATS = ['avif', 'webp'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** The picture of a shared link. All apps show this size and type, and WhatsApp accepts this file size. */
export const SHARE_PICTURE = { width: 1200, height: 630, type: 'image/jpeg', maxBytes: 300_000 } as const;
const MADE = '/images/';
export const SHARE_CARD_NAME = 'card.jpg';
/** The prefix of the addresses of drawn share pictures. The path of the page follows. */
export const SHARE_CARDS = '/images/cards';

/** An address that fits into a path: its only query is the version of an upload. */
const IN_PATH = /^(?:\/(?=uploads\/)|(https?):\/\/)([^?#]+?)(\?v=[0-9a-z]{1,12})?$/;

/**
 * @returns the address of a picture made from another one: `/images/uploads/a.jpg/640.avif`. It has no query,
 *   so that a static file server can serve it. A source with a query is in `?src=` as a whole.
 */
export function madePicture(src: string, name: string): string {
  const [, scheme, path, version = ''] = IN_PATH.exec(src) ?? [];
  if (!path || path.includes('//')) return `${MADE}${name}?src=${encodeURIComponent(src)}`;
  return `${MADE}${scheme ? `${scheme}/` : ''}${path}/${name}${version}`;
}

/** The inverse of `madePicture` for an address without `?src=`. @returns null for other addresses. */
export function pictureMadeOf(path: string, version: string | null): { src: string; name: string } | null {
  const [, beginning = '', rest = '', name = ''] = MADE_PATH.exec(path) ?? [];
  if (name === '') return null;
  const src = beginning === 'uploads' ? `/uploads/${rest}` : `${beginning}://${rest}`;
  return { src: version === null ? src : `${src}?v=${version}`, name };
}

const MADE_PATH = /^\/images\/(uploads|https?)\/(.+)\/([^/]+)$/;

export function sharePictureOf({ src, focus }: Pick<Image, 'src' | 'focus'>): string {
  return madePicture(src, focus ? `share-${focus}.jpg` : 'share.jpg');
}

/** @returns the focal point in the name of a share picture; null for another name. */
export function sharedFocusIn(name: string): { readonly focus: string | null } | null {
  const found = /^share(?:-([0-4]-[0-4]))?\.jpg$/.exec(name);
  return found && { focus: found[1] ?? null };
}

export function renditionSet({ src, width }: Pick<Image, 'src' | 'width'>, format: RenditionFormat): string {
  const full = width ?? Number.POSITIVE_INFINITY;
  return RENDITION_WIDTHS.filter((_, index) => (RENDITION_WIDTHS[index - 1] ?? 0) < full)
    .map(wide => `${madePicture(src, `${wide}.${format}`)} ${Math.min(wide, full)}w`)
    .join(', ');
}
