import type { RouteId, RouteParams } from '../routes.ts';

/** The target or the origin of a navigation. */
export interface RouteLocation {
  route: RouteId;
  /** Canonical, percent-encoded. */
  path: string;
  params: RouteParams;
  query: URLSearchParams;
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

/** @param from null on a first load. */
export type RouteMiddleware = (
  to: RouteLocation,
  from: RouteLocation | null,
  context: RouteMiddlewareContext,
) => RouteMiddlewareResult | Promise<RouteMiddlewareResult>;

export type RouteMiddlewareRegistry = Readonly<Record<string, RouteMiddleware>>;
