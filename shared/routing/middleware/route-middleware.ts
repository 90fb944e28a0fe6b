import type { RouteId, RouteParams } from '../routes.ts';

/** The target of a navigation. */
export interface RouteLocation {
  route: RouteId;
  /** Canonical, percent-encoded. */
  path: string;
  params: RouteParams;
  query: URLSearchParams;
}

/** The page that a navigation leaves. The browser sends no more of it than the id of its route. */
export interface RouteOrigin {
  route: RouteId;
}

/** The content that middleware may look up. */
export interface RouteMiddlewareContext {
  /** @returns whether a category has this slug. Rejects when the categories cannot be loaded. */
  hasCategory(slug: string): Promise<boolean>;
}

/** A redirect decided by middleware. `statusCode` is 302 unless given. */
export interface MiddlewareRedirect {
  redirect: string;
  statusCode?: 301 | 302 | 303 | 307 | 308;
}

/** `true` or undefined: the navigation continues. `false`: it is aborted. An error: the error page is shown with its status. */
export type RouteMiddlewareResult = boolean | undefined | Error | MiddlewareRedirect;

/** @param from null on a first load, and for a route without `readsFrom`. */
export type RouteMiddleware = (
  to: RouteLocation,
  from: RouteOrigin | null,
  context: RouteMiddlewareContext,
) => RouteMiddlewareResult | Promise<RouteMiddlewareResult>;

export type RouteMiddlewareRegistry = Readonly<Record<string, RouteMiddleware>>;
