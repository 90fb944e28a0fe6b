import type { Request } from 'express';
import { matchRoute } from '../../shared/routing/match-route.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';
import { safeRedirectTarget } from '../content/safe-address.ts';

/** The address of a page. */
export interface PageAddress {
  path: string;
  /** The parameters of the query that the route declares. */
  query: URLSearchParams;
}

/**
 * @returns the address in the form's field `page` if it is a page of this site, else the home page. The field is checked because the
 * answer may be a redirect to it. The field is a path; the query comes from `Referer`.
 */
export function pageOfForm(
  routes: readonly RouteDefinition[],
  req: Request,
  values: Readonly<Record<string, string>>,
): PageAddress {
  const target = safeRedirectTarget(values.page?.split(/[?#]/, 1)[0]);
  const match = target && !target.external ? matchRoute(routes, target.to) : null;
  if (!target || !match || match.route.opensByToken) return { path: '/', query: new URLSearchParams() };
  const referrer = URL.parse(req.get('referer') ?? '');
  const query = new URLSearchParams();
  if (referrer?.host === req.host && referrer?.pathname === target.to) {
    for (const name of match.route.query) {
      const value = referrer.searchParams.get(name);
      if (value !== null) query.set(name, value);
    }
  }
  return { path: target.to, query };
}
