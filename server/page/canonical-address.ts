import { canonicalForm } from '../../shared/routing/canonical-form.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';

/**
 * The canonical form of a path: lower case, without a trailing slash, encoded in one way.
 *
 * @returns null for a path that is canonical already, and for one whose canonical form no route matches.
 */
export function canonicalAddress(routes: readonly RouteDefinition[], path: string): string | null {
  const segments = path.split('/').filter(segment => segment !== '');
  const canonical = `/${segments.map(canonicalSegment).join('/')}`;
  return canonical === path || !matchRoute(routes, canonical) ? null : canonical;
}

function canonicalSegment(segment: string): string {
  return encodeURIComponent(canonicalForm(decodeURIComponent(segment)));
}
