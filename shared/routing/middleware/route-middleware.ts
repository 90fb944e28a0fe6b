import type { RouteId, RouteParams } from '../routes.ts';

/** Where a navigation goes, or comes from. */
export interface RouteLocation {
  route: RouteId;
  /** Canonical, percent-encoded. */
  path: string;
  params: RouteParams;
  query: URLSearchParams;
}

/** The questions that middleware may ask. */
export interface RouteMiddlewareContext {
  /** @returns whether a category has this slug. Rejects when the categories cannot be loaded. */
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
