import type { Image } from '../../shared/content/image.ts';
import { SHARE_CARD_NAME, SHARE_CARDS, sharePictureOf } from '../../shared/content/image.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { ShellLogo } from '../../shared/payload/shell.ts';
import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';
import { digestOf } from '../content/requests/content-request.ts';
import type { VersionedCard } from '../media/renditions/share-cards.ts';
import { isShareable } from '../wire/is-scaled.ts';
import type { LoaderHead } from './loader.ts';

/** The length of a version. It is short, because each page has it twice and it compresses badly. */
const VERSION_LENGTH = 12;

export interface SharePicture {
  src: string;
  alt: string;
  /** The address of the original picture; null for a card. */
  picture: string | null;
  card: VersionedCard | null;
}

interface SharePictureOptions {
  siteName: string;
  ownDefault: Pick<Image, 'src' | 'alt' | 'width' | 'height' | 'focus'> | null;
  logo: ShellLogo | null;
  manifest: Pick<BuildManifest, 'cardDesign' | 'hasDarkCards'>;
}

/** Chooses the picture: the editor's, the entry's card, the settings' picture, or a card with the title. */
export function sharePicture(
  head: LoaderHead,
  path: string,
  { siteName, ownDefault, logo, manifest }: SharePictureOptions,
): SharePicture {
  if (head.image && isShareable(head.image)) return cutOut(head.image, head.title ?? siteName);
  if (!head.card && ownDefault && isShareable(ownDefault)) return cutOut(ownDefault, siteName);
  // Do not draw the title of an unlisted page, because it may contain a visitor's words.
  const title = head.card?.title ?? (head.noindex ? null : head.title) ?? siteName;
  const { label = null, author = null } = head.card ?? {};
  const site = title === siteName ? null : siteName;
  const { src = null } = logo?.[manifest.hasDarkCards ? 'dark' : 'light'] ?? {};
  const card = { title, label, author, site, logo: src, drawing: drawingOf(head.image ?? null) };
  const version = digestOf(JSON.stringify([manifest.cardDesign, card])).slice(0, VERSION_LENGTH);
  return {
    src: `${SHARE_CARDS}${withoutTrailingSlashes(path)}/${SHARE_CARD_NAME}?v=${version}`,
    alt: title,
    picture: null,
    card: { card, version },
  };
}

/** @returns the address of an SVG file, to be drawn on a card, because link previews show no SVG. */
function drawingOf(image: Pick<Image, 'src'> | null): string | null {
  return image && /\.svg(?:\?|$)/i.test(image.src) && !image.src.includes('#') ? image.src : null;
}

function cutOut({ alt, ...picture }: Pick<Image, 'src' | 'alt' | 'focus'>, title: string): SharePicture {
  return { src: sharePictureOf(picture), alt: alt || title, picture: picture.src, card: null };
}
