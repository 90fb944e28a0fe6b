import { matchRoute } from './match-route.ts';
import { type RouteDefinition, routeTable } from './routes.ts';

/** The end of a path with a page number, the form of a static export: `/blog/guides/page/2`. */
const IN_PATH = /^(.+)\/page\/([1-9]\d{0,4})$/;

/** Whether a list's pages have numbers. A search is missing, because its address needs a query anyway. */
const isNumbered = ({ query, answersQueries }: RouteDefinition) => query.includes('page') && !answersQueries;

/** The further pages of lists, for the router of browsers. */
export const numberedRoutes = routeTable
  .filter(isNumbered)
  .map(({ id, path }) => ({ id: `${id}/page`, route: id, path: `${path}/page/:page` }));

/** @param inPath whether the number is a part of the path, as a server of files needs it. */
export function pageAddress(path: string, page: number, inPath = false): string {
  if (page === 1) return path;
  return inPath ? `${path}/page/${page}` : `${path}?page=${page}`;
}

/** Splits a path that ends with a page number. @returns null for all other paths. */
export function splitPageNumber(path: string): { list: string; page: number } | null {
  const [, list = '', page = ''] = IN_PATH.exec(path) ?? [];
  const route = page && matchRoute(routeTable, list)?.route;
  return route && isNumbered(route) ? { list, page: Number(page) } : null;
}

/** @returns the path of the list; all other paths unchanged. */
export function withoutPageNumber(path: string): string {
  return splitPageNumber(path)?.list ?? path;
}
