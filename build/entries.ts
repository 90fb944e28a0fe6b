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

/** The module that imports each catalogue of words. */
const CATALOGUES = 'shared/labels/catalogues.ts';

/** The module of each route's page, by the id of the route: the `import()` calls of `shared/route-pages.ts`. */
export const PAGE_MODULES = readPageModules();
/** The module of each catalogue, by its name. */
export const CATALOGUE_MODULES = importedModules(CATALOGUES);

function readPageModules(): Readonly<Record<RouteId, string>> {
  const modules = importedModules(ROUTE_PAGES);
  const missing = routeTable.filter(({ id }) => modules[id] === undefined).map(({ id }) => id);
  if (missing.length > 0)
    throw new Error(
      `${ROUTE_PAGES} has no line such as "id: () => import('./…')," for ${missing.join(', ')}`,
    );
  return modules as Record<RouteId, string>;
}

/** @returns the modules that another one imports by lines such as `id: () => import('./…'),`, by their ids. */
function importedModules(file: string): Readonly<Record<string, string>> {
  const source = readFileSync(join(projectRoot, file), 'utf8');
  return Object.fromEntries(
    Array.from(source.matchAll(/^ {2}'?([\w-]+)'?: \(\) => import\('(\.[^']+)'\),$/gm), ([, id, address]) => [
      id,
      posix.join(posix.dirname(file), address ?? ''),
    ]),
  );
}
