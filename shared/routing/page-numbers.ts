import { matchRoute } from './match-route.ts';
import { type RouteDefinition, type RouteId, routeTable } from './routes.ts';

/** The end of a path with a page number, the form of a static export: `/blog/guides/page/2`. */
const IN_PATH = /^(.+)\/page\/([1-9]\d{0,4})$/;

/** Whether a list has numbered pages in paths. A search has not: its address needs a query anyway. */
const isNumbered = ({ query, answersQueries }: RouteDefinition) => query.includes('page') && !answersQueries;

/** The routes of React Router. Pages of a list from the second on have a separate route, with another id. */
export const routePaths: { id: string; path: string; route: RouteId }[] = routeTable.flatMap(row =>
  (isNumbered(row) ? ['', '/page/:page'] : ['']).map(end => ({
    id: row.id + end,
    path: row.path + end,
    route: row.id,
  })),
);

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

/** @returns the path without a page number at its end. No other pages have such paths. */
export function withoutPageNumber(path: string): string {
  return path.replace(/\/page\/\d+$/, '');
}
