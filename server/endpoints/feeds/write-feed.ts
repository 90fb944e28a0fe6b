import { escapeHtml } from '../../render/document.ts';
import { xmlElement, xmlText } from '../xml.ts';

export interface FeedAttachment {
  readonly address: string;
  readonly type: string;
  readonly bytes: number | null;
}

/** Addresses are absolute, dates are in ISO 8601. */
export interface FeedItem {
  /** The address of the page, which is also the item's id. */
  readonly address: string;
  readonly title: string;
  readonly summary: string | null;
  readonly html: string | null;
  readonly published: string;
  readonly updated: string;
  readonly author: { readonly name: string; readonly address: string | null } | null;
  readonly topics: readonly string[];
  readonly picture: FeedAttachment | null;
}

export interface FeedDocument {
  readonly title: string;
  readonly description: string;
  readonly page: string;
  readonly self: string;
  readonly siteName: string;
  readonly locale: string;
  readonly updated: string | null;
  readonly items: readonly FeedItem[];
}

const NAMESPACES = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
};

/** RSS 2.0 (https://www.rssboard.org/rss-specification), with whole texts in `content:encoded`. */
export function writeRss(feed: FeedDocument): string {
  const { title, description, page, self, siteName, locale, updated, items } = feed;
  const channel = xmlElement('channel', {}, [
    xmlText('title', title),
    xmlText('link', page),
    // Use the title if there is no description, because RSS requires the element.
    xmlText('description', description || title),
    xmlElement('atom:link', { href: self, rel: 'self', type: 'application/rss+xml' }),
    xmlText('language', locale),
    xmlText('copyright', siteName),
    xmlText('lastBuildDate', updated && dateOf(updated)),
    ...items.map(itemElement),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${xmlElement('rss', { version: '2.0', ...NAMESPACES }, [channel])}`;
}

function itemElement({ address, title, summary, html, published, author, topics, picture }: FeedItem) {
  return xmlElement('item', {}, [
    xmlText('title', title),
    xmlText('link', address),
    xmlText('guid', address, { isPermaLink: 'true' }),
    xmlText('pubDate', dateOf(published)),
    // Use `dc:creator`, because `author` must contain an e-mail address.
    xmlText('dc:creator', author?.name ?? null),
    ...topics.map(topic => xmlText('category', topic)),
    xmlText('description', summary),
    xmlText('content:encoded', html),
    // Write 0 for an unknown size (Best Practices Profile of the RSS Advisory Board).
    picture
      ? xmlElement('enclosure', { url: picture.address, length: picture.bytes ?? 0, type: picture.type })
      : '',
  ]);
}

function dateOf(iso: string): string {
  return new Date(iso).toUTCString();
}

/** The date of an Atom feed without items. Atom requires a date, and equal feeds must have equal bytes. */
const NEVER = '1970-01-01T00:00:00.000Z';

/** Atom 1.0 (RFC 4287), with whole texts. */
export function writeAtom(feed: FeedDocument): string {
  const { title, description, page, self, siteName, locale, updated, items } = feed;
  const root = { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': locale };
  const element = xmlElement('feed', root, [
    xmlText('id', page),
    xmlText('title', title),
    xmlText('subtitle', description),
    xmlText('updated', updated ?? NEVER),
    xmlElement('link', { rel: 'self', type: 'application/atom+xml', href: self }),
    xmlElement('link', { rel: 'alternate', type: 'text/html', href: page }),
    // The author of entries without one.
    personElement(siteName, new URL('/', page).href),
    xmlText('rights', siteName),
    ...items.map(entryElement),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${element}`;
}

function entryElement(item: FeedItem): string {
  const { address, title, summary, html, published, updated, author, topics, picture } = item;
  return xmlElement('entry', {}, [
    xmlText('id', address),
    xmlText('title', title),
    xmlText('updated', updated),
    xmlText('published', published),
    xmlElement('link', { rel: 'alternate', type: 'text/html', href: address }),
    picture ? xmlElement('link', enclosure(picture)) : '',
    author ? personElement(author.name, author.address) : '',
    ...topics.map(topic => xmlElement('category', { term: topic })),
    xmlText('summary', summary),
    xmlText('content', html, { type: 'html' }),
  ]);
}

function enclosure({ type, bytes, address }: FeedAttachment) {
  return { rel: 'enclosure', type, length: bytes, href: address };
}

function personElement(name: string, address: string | null): string {
  return xmlElement('author', {}, [xmlText('name', name), xmlText('uri', address)]);
}

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), with whole texts. */
export function writeJsonFeed(feed: FeedDocument): string {
  const { title, description, page, self, siteName, locale, items } = feed;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    description: description || undefined,
    language: locale,
    authors: [{ name: siteName, url: new URL('/', page).href }],
    items: items.map(itemObject),
  });
}

/** Builds an item. `JSON.stringify` omits undefined members. */
function itemObject(item: FeedItem): object {
  const { address, title, summary, html, published, updated, author, topics, picture } = item;
  return {
    id: address,
    url: address,
    title,
    // JSON Feed requires `content_html` or `content_text`.
    content_html: html ?? `<p>${escapeHtml(summary ?? title)}</p>`,
    summary: summary ?? undefined,
    image: picture?.address,
    date_published: published,
    date_modified: updated,
    authors: author ? [{ name: author.name, url: author.address ?? undefined }] : undefined,
    tags: topics,
    attachments: picture
      ? [{ url: picture.address, mime_type: picture.type, size_in_bytes: picture.bytes ?? undefined }]
      : undefined,
  };
}
