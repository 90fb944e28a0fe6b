import type { PageComponents } from '../../shared/app-routes.tsx';
import { routeFiles } from '../../site/pages.ts';
import type { RouteContents } from './loader.ts';

/** The cast is safe: the compiler checks that `routeFiles` has the loader of each id. */
export async function loadContents(): Promise<RouteContents> {
  const loaded = Object.entries(routeFiles).map(async ([id, { load }]) => {
    const module = await load();
    if (module === true) throw new Error('This is the build of a browser');
    return [id, module.default] as const;
  });
  return Object.fromEntries(await Promise.all(loaded)) as unknown as RouteContents;
}

/** The cast is safe: the compiler checks that `routeFiles` has the component of each id. */
export async function loadPages(): Promise<PageComponents> {
  const loaded = Object.entries(routeFiles).map(
    async ([id, { page }]) => [id, (await page()).default] as const,
  );
  return Object.fromEntries(await Promise.all(loaded)) as unknown as PageComponents;
}
