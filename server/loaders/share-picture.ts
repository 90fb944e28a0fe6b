import type { Image } from '../../shared/content/image.ts';
import { SHARE_CARD_PATH, sharePictureOf } from '../../shared/content/image.ts';
import { digestOf } from '../content/content-request.ts';
import { isShareable } from '../media/is-scaled.ts';
import type { VersionedCard } from '../media/share-cards.ts';
import type { LoaderHead } from './loader.ts';

/** Characters of a version. Each address is twice in a page, which random characters make longer. */
const VERSION_LENGTH = 12;

/** The picture of links to a page. */
export interface SharePicture {
  /** A path. */
  src: string;
  alt: string;
  /** The address of the picture that it is cut out of; null for a card. */
  picture: string | null;
  /** The card that the site draws; null for a picture. */
  card: VersionedCard | null;
}

export interface SharePictureOptions {
  siteName: string;
  /** The picture in the settings for pages without one. */
  ownDefault: Pick<Image, 'src' | 'alt' | 'width' | 'height'> | null;
  /** The design of the cards of this build. */
  design: string;
}

/**
 * @param path of the page, without a query. A card is drawn for the page under this path, so the pages of a list share one.
 * @returns the picture of the page's editor; else the card of an entry; else the picture in the settings; else a card with the title of the page.
 */
export function sharePicture(
  head: LoaderHead,
  path: string,
  { siteName, ownDefault, design }: SharePictureOptions,
): SharePicture {
  if (head.image && isShareable(head.image)) return cutOut(head.image, head.title ?? siteName);
  if (!head.card && ownDefault && isShareable(ownDefault)) return cutOut(ownDefault, siteName);
  // The title of a page that is made for one visitor may have the visitor's own words in it.
  const title = head.card?.title ?? (head.noindex ? null : head.title) ?? siteName;
  const { label = null, author = null } = head.card ?? {};
  const card = { title, label, author, site: title === siteName ? null : siteName };
  const version = digestOf(JSON.stringify([design, card])).slice(0, VERSION_LENGTH);
  // Slashes may stand in a query.
  const page = encodeURIComponent(path).replaceAll('%2F', '/');
  return {
    src: `${SHARE_CARD_PATH}?page=${page}&v=${version}`,
    alt: title,
    picture: null,
    card: { card, version },
  };
}

function cutOut({ src, alt }: Pick<Image, 'src' | 'alt'>, title: string): SharePicture {
  return { src: sharePictureOf(src), alt: alt || title, picture: src, card: null };
}
