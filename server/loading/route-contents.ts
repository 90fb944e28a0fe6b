import type { PageComponent, PageComponents } from '../../shared/app-routes.tsx';
import type { RouteId } from '../../shared/routing/routes.ts';
import { routes } from '../../site/routes.ts';
import type { RouteContent, RouteContents } from './loader.ts';

type RouteFiles = {
  readonly [Id in RouteId]: {
    readonly id: Id;
    page(): Promise<{ default: PageComponent<Id> }>;
    load(): true | Promise<{ default: RouteContent<Id> }>;
  };
}[RouteId];

const files: readonly RouteFiles[] = routes;

/** The cast is safe: the compiler checks that each route has its loader. */
export async function loadContents(): Promise<RouteContents> {
  const loaded = files.map(async ({ id, load }) => {
    const module = await load();
    if (module === true) throw new Error('This is the build of a browser');
    return [id, module.default] as const;
  });
  return Object.fromEntries(await Promise.all(loaded)) as unknown as RouteContents;
}

/** The cast is safe: the compiler checks that each route has its component. */
export async function loadPages(): Promise<PageComponents> {
  const loaded = files.map(async ({ id, page }) => [id, (await page()).default] as const);
  return Object.fromEntries(await Promise.all(loaded)) as unknown as PageComponents;
}
