import { xmlElement, xmlText } from '../xml.ts';
import type { FeedDocument, FeedItem } from './feed-document.ts';

const NAMESPACES = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
};

/** @returns a feed in RSS 2.0 (https://www.rssboard.org/rss-specification), with whole texts in `content:encoded`. */
export function writeRss(feed: FeedDocument): string {
  const { title, description, page, self, siteName, locale, updated, items } = feed;
  const channel = xmlElement('channel', {}, [
    ...xmlText('title', title),
    ...xmlText('link', page),
    // The element is required.
    ...xmlText('description', description || title),
    xmlElement('atom:link', { href: self, rel: 'self', type: 'application/rss+xml' }),
    ...xmlText('language', locale),
    ...xmlText('copyright', siteName),
    ...xmlText('lastBuildDate', updated && dateOf(updated)),
    ...items.map(itemElement),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${xmlElement('rss', { version: '2.0', ...NAMESPACES }, [channel])}`;
}

function itemElement({ address, title, summary, html, published, author, topics, picture }: FeedItem) {
  return xmlElement('item', {}, [
    ...xmlText('title', title),
    ...xmlText('link', address),
    ...xmlText('guid', address, { isPermaLink: 'true' }),
    ...xmlText('pubDate', dateOf(published)),
    // `author` holds e-mail addresses.
    ...xmlText('dc:creator', author?.name ?? null),
    ...topics.flatMap(topic => xmlText('category', topic)),
    ...xmlText('description', summary),
    ...xmlText('content:encoded', html),
    // Best Practices Profile of the RSS Advisory Board: 0 where the size is not known.
    ...(picture
      ? [xmlElement('enclosure', { url: picture.address, length: picture.bytes ?? 0, type: picture.type })]
      : []),
  ]);
}

/** A date in the form of RFC 822 with four digits for the year. */
function dateOf(iso: string): string {
  return new Date(iso).toUTCString();
}
