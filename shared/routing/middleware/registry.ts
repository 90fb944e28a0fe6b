import type { RouteId, RouteParams } from '../routes.ts';
import { checkBlogCategory } from './check-blog-category.ts';

/** Where a navigation goes, or comes from. */
export interface RouteLocation {
  route: RouteId;
  /** Canonical, percent-encoded. */
  path: string;
  params: RouteParams;
  query: URLSearchParams;
}

/** What middleware may ask about. */
export interface RouteMiddlewareContext {
  /** @returns whether a category has this slug. Rejects when the categories cannot be had. */
  hasCategory(slug: string): Promise<boolean>;
}

/** A redirect decided by middleware. `statusCode` is 302 unless given. */
export interface MiddlewareRedirect {
  redirect: string;
  statusCode?: 301 | 302 | 303 | 307 | 308;
}

/** `true` or nothing: continue. `false`: abort. An error: the error page with its status. */
export type RouteMiddlewareResult = boolean | undefined | Error | MiddlewareRedirect;

/** @param from null on a first load. */
export type RouteMiddleware = (
  to: RouteLocation,
  from: RouteLocation | null,
  context: RouteMiddlewareContext,
) => RouteMiddlewareResult | Promise<RouteMiddlewareResult>;

export type RouteMiddlewareRegistry = Readonly<Record<string, RouteMiddleware>>;

/** All route middleware, by the names that the route table uses. */
export const routeMiddleware = {
  'check-blog-category': checkBlogCategory,
} satisfies RouteMiddlewareRegistry;

export type RouteMiddlewareName = keyof typeof routeMiddleware;
