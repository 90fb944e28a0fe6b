import { siteRoutes } from '../../site/routes.ts';
import { feedPath } from './feed-files.ts';
import type { RouteParams } from './route.ts';
import { pathTo, type RouteId } from './routes.ts';

export const FEED_ROUTES = [
  siteRoutes.blog,
  siteRoutes.category,
  siteRoutes.author,
  siteRoutes.tag,
] as const satisfies readonly RouteId[];
export type FeedRoute = (typeof FEED_ROUTES)[number];

export function hasFeed(route: RouteId | null): route is FeedRoute {
  return (FEED_ROUTES as readonly (RouteId | null)[]).includes(route);
}

export const BLOG_FEED = feedPath(pathTo(siteRoutes.blog, {}));

/** @param params the route's parameters, as the matcher returns them. */
export function feedPagePath(route: FeedRoute, params: RouteParams): string {
  return pathTo(route, params as never);
}
