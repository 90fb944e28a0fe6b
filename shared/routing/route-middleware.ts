import type { RouteParams } from './route.ts';
import type { RouteId } from './routes.ts';

export interface RouteLocation {
  route: RouteId;
  /** The canonical, percent-encoded path. */
  path: string;
  params: RouteParams;
  query: URLSearchParams;
}

export interface RouteOrigin {
  route: RouteId;
}

export interface RouteMiddlewareContext {
  /** Rejects if the categories cannot be loaded. */
  hasCategory(slug: string): Promise<boolean>;
}

/** A redirect. `statusCode` is 302 by default. */
interface MiddlewareRedirect {
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
