import type { PageComponents } from '../../shared/app-routes.tsx';
import { routePages } from '../../shared/route-pages.ts';

/**
 * @returns the page components of all routes. The cast is safe: `routePages` satisfies `LazyPageComponents`, which has the same component for
 *   each id.
 */
export async function loadPages(): Promise<PageComponents> {
  const loaded = Object.entries(routePages).map(async ([id, load]) => [id, (await load()).default] as const);
  return Object.fromEntries(await Promise.all(loaded)) as unknown as PageComponents;
}
