import type { RouteParams } from './route.ts';
import type { RouteId } from './routes.ts';

export interface RouteLocation {
  route: RouteId;
  /** Canonical, percent-encoded. */
  path: string;
  params: RouteParams;
  query: URLSearchParams;
}

/** The page that a navigation leaves. The browser sends only the id of its route. */
export interface RouteOrigin {
  route: RouteId;
}

export interface RouteMiddlewareContext {
  /** Rejects when the categories cannot be loaded. */
  hasCategory(slug: string): Promise<boolean>;
}

/** `statusCode` is 302 by default. */
export interface MiddlewareRedirect {
  redirect: string;
  statusCode?: 301 | 302 | 303 | 307 | 308;
}

/** `true` or undefined continues, `false` aborts, an error shows the error page with its status. */
export type RouteMiddlewareResult = boolean | undefined | Error | MiddlewareRedirect;

/** @param from null on a first load, and for a route without `readsFrom`. */
export type RouteMiddleware = (
  to: RouteLocation,
  from: RouteOrigin | null,
  context: RouteMiddlewareContext,
) => RouteMiddlewareResult | Promise<RouteMiddlewareResult>;

export type RouteMiddlewareRegistry = Readonly<Record<string, RouteMiddleware>>;
