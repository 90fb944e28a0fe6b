import { decodeUri } from './decode-uri.ts';
import type { RouteParams } from './route.ts';
import type { RouteDefinition } from './routes.ts';

/** @returns the match; a fixed segment beats a parameter. Null if no route matches or decoding fails. */
export function matchRoute(
  routes: readonly RouteDefinition[],
  path: string,
): { route: RouteDefinition; params: RouteParams } | null {
  const segments = path.split('/').slice(1);
  let best: { route: RouteDefinition; params: RouteParams; fixed: number } | null = null;
  for (const route of routes) {
    const pattern = route.path.split('/').slice(1);
    if (pattern.length !== segments.length) continue;
    const match = matchPattern(pattern, segments);
    if (match && match.fixed > (best?.fixed ?? -1)) best = { route, ...match };
  }
  return best && { route: best.route, params: best.params };
}

function matchPattern(pattern: readonly string[], segments: readonly string[]) {
  const params: Record<string, string> = {};
  let fixed = 0;
  for (let index = 0; index < pattern.length; index += 1) {
    const part = pattern[index] ?? '';
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) {
      const value = decodeUri(segment);
      if (!value) return null;
      params[part.slice(1)] = value;
    } else if (part === segment) {
      fixed += 1;
    } else {
      return null;
    }
  }
  return { params, fixed };
}
