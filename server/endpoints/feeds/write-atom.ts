import { xmlElement, xmlText } from '../xml.ts';
import type { FeedDocument, FeedItem } from './feed-document.ts';

/** The time of a feed without items, which nothing tells: the element is required, and must not change with each request. */
const NEVER = '1970-01-01T00:00:00.000Z';

/** @returns a feed in Atom 1.0 (RFC 4287), with whole texts. */
export function writeAtom(feed: FeedDocument): string {
  const { title, description, page, self, siteName, locale, updated, items } = feed;
  const root = { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': locale };
  const element = xmlElement('feed', root, [
    ...xmlText('id', page),
    ...xmlText('title', title),
    ...xmlText('subtitle', description),
    ...xmlText('updated', updated ?? NEVER),
    xmlElement('link', { rel: 'self', type: 'application/atom+xml', href: self }),
    xmlElement('link', { rel: 'alternate', type: 'text/html', href: page }),
    // The author of entries without one of their own.
    personElement(siteName, new URL('/', page).href),
    ...xmlText('rights', siteName),
    ...items.map(entryElement),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${element}`;
}

function entryElement(item: FeedItem): string {
  const { address, title, summary, html, published, updated, author, topics, picture } = item;
  return xmlElement('entry', {}, [
    ...xmlText('id', address),
    ...xmlText('title', title),
    ...xmlText('updated', updated),
    ...xmlText('published', published),
    xmlElement('link', { rel: 'alternate', type: 'text/html', href: address }),
    ...(picture
      ? [
          xmlElement('link', {
            ...{ rel: 'enclosure', type: picture.type, length: picture.bytes, href: picture.address },
          }),
        ]
      : []),
    ...(author ? [personElement(author.name, author.address)] : []),
    ...topics.map(topic => xmlElement('category', { term: topic })),
    ...xmlText('summary', summary),
    ...xmlText('content', html, { type: 'html' }),
  ]);
}

function personElement(name: string, address: string | null): string {
  return xmlElement('author', {}, [...xmlText('name', name), ...xmlText('uri', address)]);
}
