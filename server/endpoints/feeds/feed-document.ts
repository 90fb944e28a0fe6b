/** A media file beside an item. */
export interface FeedAttachment {
  /** Absolute. */
  readonly address: string;
  /** The media type, such as `image/png`. */
  readonly type: string;
  /** Null if it is not known. */
  readonly bytes: number | null;
}

/** An item of a feed. Addresses are absolute, dates are in ISO 8601. */
export interface FeedItem {
  /** The address of the page. It is also the id of the item. */
  readonly address: string;
  readonly title: string;
  readonly summary: string | null;
  /** The whole text as HTML; null for an article without one. */
  readonly html: string | null;
  readonly published: string;
  readonly updated: string;
  readonly author: { readonly name: string; readonly address: string | null } | null;
  readonly topics: readonly string[];
  readonly picture: FeedAttachment | null;
}

/** A feed, before it is written in one of the formats. Addresses are absolute. */
export interface FeedDocument {
  readonly title: string;
  readonly description: string;
  /** The page with the same articles. */
  readonly page: string;
  /** The feed itself, in the format that is written. */
  readonly self: string;
  readonly siteName: string;
  /** A BCP 47 tag. */
  readonly locale: string;
  /** The last change of an item, in ISO 8601; null without items. */
  readonly updated: string | null;
  readonly items: readonly FeedItem[];
}
