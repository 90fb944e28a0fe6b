import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type RouteId, routeTable } from '../shared/routing/routes.ts';
import { projectRoot } from './output-files.ts';

/** The module that hydrates the page. */
export const CLIENT_ENTRY = 'client/hydrate.tsx';
/** The module that becomes the early script: a classic script that runs before the first paint. */
export const EARLY_SCRIPT = 'client/early.ts';
/** The module that imports each route's page. */
const ROUTE_PAGES = 'shared/route-pages.ts';

/** The module of each route's page, by the id of the route: the `import()` calls of `shared/route-pages.ts`. */
export const PAGE_MODULES = readPageModules();

function readPageModules(): Readonly<Record<RouteId, string>> {
  const source = readFileSync(join(projectRoot, ROUTE_PAGES), 'utf8');
  const modules = new Map(
    Array.from(source.matchAll(/^ {2}'?([\w-]+)'?: \(\) => import\('(\.[^']+)'\),$/gm), ([, id, address]) => [
      id,
      posix.join(posix.dirname(ROUTE_PAGES), address ?? ''),
    ]),
  );
  const missing = routeTable.filter(({ id }) => !modules.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw new Error(
      `${ROUTE_PAGES} has no line such as "id: () => import('./…')," for ${missing.join(', ')}`,
    );
  return Object.fromEntries(modules) as Record<RouteId, string>;
}
