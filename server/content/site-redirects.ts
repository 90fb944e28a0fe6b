import type { RedirectRow } from './redirect-table.ts';

/**
 * Redirects that belong to the site and not to its editors: addresses that people and feed readers guess.
 * They stand before the rows of the content backend, so an editor's row with the same `from` is reported as shadowed.
 */
export const siteRedirects: readonly RedirectRow[] = [
  { id: 'site:index', from: '/index.html', to: '/', statusCode: 308 },
  { id: 'site:feed', from: '/feed', to: '/blog/feed.xml', statusCode: 308 },
  { id: 'site:rss', from: '/rss.xml', to: '/blog/feed.xml', statusCode: 308 },
  { id: 'site:blog-feed', from: '/blog/feed', to: '/blog/feed.xml', statusCode: 308 },
];
