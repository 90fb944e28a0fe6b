import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type RouteId, routeTable } from '../../shared/routing/routes.ts';
import { projectRoot } from '../output-files.ts';

export const CLIENT_ENTRY = 'client/hydrate.tsx';
export const EARLY_SCRIPT = 'client/early.ts';
const CATALOGUES = 'site/words.ts';

export const PAGE_MODULES = readPageModules();
export const CATALOGUE_MODULES = importedModules(
  CATALOGUES,
  /^ {2}(\w+): \(\) => import\('(\.\/words\/\w+\.ts)'\),$/gm,
);

function readPageModules(): Readonly<Record<RouteId, string>> {
  const modules = routeTable.map(({ id }) => {
    const file = `site/routes/${id}/${id}.route.ts`;
    const { page } = importedModules(file, /^ {2}(page): \(\) => import\('(\.[^']+)'\),$/gm);
    if (page === undefined) throw new Error(`${file} has no line such as "page: () => import('./…'),"`);
    return [id, page] as const;
  });
  // The cast is safe: the table has each route once.
  return Object.fromEntries(modules) as Record<RouteId, string>;
}

function importedModules(file: string, line: RegExp): Readonly<Record<string, string>> {
  const source = readFileSync(join(projectRoot, file), 'utf8');
  return Object.fromEntries(
    Array.from(source.matchAll(line), ([, name, address]) => [
      name,
      posix.join(posix.dirname(file), address ?? ''),
    ]),
  );
}
