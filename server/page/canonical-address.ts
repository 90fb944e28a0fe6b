import { matchRoute } from '../../shared/routing/match-route.ts';
import { type PageStep, redirectTo } from './page-job.ts';

/** Of the addresses that match a route, one is canonical: lower case, without a trailing slash, encoded in one way. */
export const canonicalAddress: PageStep = ({ routes }, { request: { path, search } }) => {
  const canonical = canonicalPath(path);
  if (canonical === path || !matchRoute(routes, canonical)) return undefined;
  return redirectTo({ to: canonical + search, statusCode: 308, external: false });
};

/** Composed after the case is folded: some letters with a mark exist as one character in lower case alone. */
function inOneForm(segment: string): string {
  return segment.toLowerCase().normalize('NFC');
}

function canonicalPath(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '');
  return `/${segments.map(segment => encodeURIComponent(inOneForm(decodeURIComponent(segment)))).join('/')}`;
}
