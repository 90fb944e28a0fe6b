import type { RequestHandler } from 'express';
import { matchRoute } from '../../shared/match-route.ts';
import { answerRedirect } from '../answer-redirect.ts';
import { pageOf } from '../request-scope.ts';
import type { Site } from '../site.ts';

/** Of the addresses that match a route, one is canonical: lower case, without a trailing slash, encoded in one way. */
export function canonicalAddress(site: Site): RequestHandler {
  return (_req, res, next) => {
    const { path, search } = pageOf(res);
    const canonical = canonicalPath(path);
    if (canonical === path || !matchRoute(site.routes, canonical)) return next();
    answerRedirect(site, res, { to: canonical + search, statusCode: 308, external: false });
  };
}

/** Composed after the case is folded: some letters with a mark exist as one character in lower case alone. */
function inOneForm(segment: string): string {
  return segment.toLowerCase().normalize('NFC');
}

function canonicalPath(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '');
  return `/${segments.map(segment => encodeURIComponent(inOneForm(decodeURIComponent(segment)))).join('/')}`;
}
