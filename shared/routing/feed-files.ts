export type FeedFormat = 'rss' | 'atom' | 'json';

/** The file names of feeds. A feed is below the page with the same articles. */
export const FEED_FILES: Readonly<Record<FeedFormat, string>> = {
  rss: 'feed.xml',
  atom: 'atom.xml',
  json: 'feed.json',
};

export const FEED_FORMATS: readonly FeedFormat[] = ['rss', 'atom', 'json'];

export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

export function feedPath(page: string, format: FeedFormat = 'rss'): string {
  return `${page}/${FEED_FILES[format]}`;
}
