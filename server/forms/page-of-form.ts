import type { Request } from 'express';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { safeRedirectTarget } from '../content/safe-address.ts';
import type { Site } from '../site.ts';

/** The address of a page. */
export interface PageAddress {
  path: string;
  /** What of the query the route declares. */
  query: URLSearchParams;
}

/**
 * The page that a form says it stood on, when it is one of ours, else the home page. Anybody can post anything here, and
 * the answer may be a redirect to it. The query is the referrer's: it is no part of a page that is cached.
 */
export function pageOfForm(site: Site, req: Request, values: Readonly<Record<string, string>>): PageAddress {
  const target = safeRedirectTarget(values.page?.split(/[?#]/, 1)[0]);
  const match = target && !target.external ? matchRoute(site.routes, target.to) : null;
  if (!target || !match) return { path: '/', query: new URLSearchParams() };
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
