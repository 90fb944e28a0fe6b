import { pathTo, type RouteId, type RouteParams } from './routes.ts';

/** The formats of feeds: RSS 2.0, Atom 1.0 and JSON Feed 1.1. */
export type FeedFormat = 'rss' | 'atom' | 'json';

/** The last segments of the addresses of feeds. The segments before are those of the page with the same articles. */
export const FEED_FILES: Readonly<Record<FeedFormat, string>> = {
  rss: 'feed.xml',
  atom: 'atom.xml',
  json: 'feed.json',
};

export const FEED_FORMATS: readonly FeedFormat[] = ['rss', 'atom', 'json'];

/** The media types of feeds. */
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

/** The routes whose pages list articles, and have feeds of them. */
export const FEED_ROUTES = [
  'blog',
  'blog-category',
  'blog-author',
  'blog-tag',
] as const satisfies readonly RouteId[];
export type FeedRoute = (typeof FEED_ROUTES)[number];

export function hasFeed(route: RouteId | null): route is FeedRoute {
  return (FEED_ROUTES as readonly (RouteId | null)[]).includes(route);
}

/** @returns the path of the feed of a page. @param page the path of the page. */
export function feedPath(page: string, format: FeedFormat = 'rss'): string {
  return `${page}/${FEED_FILES[format]}`;
}

/** The path of the feed of the whole blog. */
export const BLOG_FEED = feedPath(pathTo('blog', {}));

/** @returns the path of a page with feeds. The parameters are those of the route, as the matcher gives them. */
export function feedPagePath(route: FeedRoute, params: RouteParams): string {
  return pathTo(route, params as never);
}
