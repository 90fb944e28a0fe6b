import { escapeHtml } from '../../render/document.ts';
import type { FeedDocument, FeedItem } from './feed-document.ts';

/** @returns a feed in JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), with whole texts. */
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

/** JSON.stringify leaves out the members that are undefined. */
function itemObject(item: FeedItem): object {
  const { address, title, summary, html, published, updated, author, topics, picture } = item;
  return {
    id: address,
    url: address,
    title,
    // One of `content_html` and `content_text` is required.
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
