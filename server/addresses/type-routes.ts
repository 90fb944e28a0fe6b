import type { TypeDescription } from '../../shared/content/descriptions.ts';
import { entryTypes, listedTypes } from '../../shared/content/entries.ts';
import { pathTo, type RouteDefinition, type RouteId, routeById } from '../../shared/routing/routes.ts';
import { LAYOUT_WITH_CATEGORIES, routes, siteRoutes } from '../../site/routes.ts';
import { contentTypes, siteTypes } from '../../site/types.ts';
import { joined } from '../wire/content-calls.ts';
import { entryOf } from '../wire/wire.ts';
import { safeSlug } from './safe-address.ts';

type TypeName = keyof typeof contentTypes;
interface Type extends Pick<TypeDescription, 'path' | 'fields'> {
  readonly route?: RouteId;
  readonly onEveryPage?: true;
}

// These types let the compiler check that `reads` lists only content types, and that each `route` exists.
const types: Readonly<Record<string, Type>> = contentTypes;
const readers: readonly { id: RouteId; layout: string; reads: readonly TypeName[] }[] = routes;

/** @returns the routes that show a content type. `route` shows one entry; absent if entries have no pages. */
export function routesOfType(path: string): { route?: RouteId; readBy: 'every page' | readonly RouteId[] } {
  const type = Object.values(types).find(one => one.path === path);
  if (!type) return { readBy: [] };
  const { route, onEveryPage } = type;
  const readBy = new Set(route && [route]);
  for (const reader of readers) {
    const shown = Object.values(types).find(one => one.route === reader.id);
    const isRead =
      reader.reads.some(name => types[name] === type) ||
      (shown && (isRelated(shown, type) || isAbove(shown, type) || isAbove(type, shown))) ||
      (type === siteTypes.category && reader.layout === LAYOUT_WITH_CATEGORIES);
    if (isRead) readBy.add(reader.id);
  }
  return { ...(route && { route }), readBy: onEveryPage ? 'every page' : [...readBy] };
}

function isRelated({ fields }: Type, other: Type): boolean {
  return Object.values(fields).some(field => 'target' in field && types[field.target] === other);
}

/** Whether a `page` entry can list entries of type `listed`, and is then in the breadcrumbs of each. */
function isAbove(page: Type, listed: Type): boolean {
  return page === siteTypes.page && listedTypes.some(type => type === listed);
}

/** Relations whose slugs come before the entry's slug in its address, such as an article's category. */
export function relationsInPath(route: RouteId): readonly string[] {
  return paramsOf(route).slice(0, -1);
}

export function queryOfRelations(route: RouteId): string {
  return joined(...relationsInPath(route).map(name => `populate[${name}][fields][0]=slug`));
}

/** @returns the entry's path; null if the entry lacks a relation that the path needs. */
export function pathOfSlug(
  route: RouteId,
  attributes: Readonly<Record<string, unknown>>,
  slug: string,
): string | null {
  const params: Record<string, string> = {};
  for (const name of relationsInPath(route)) {
    const related = safeSlug(entryOf(attributes[name])?.attributes.slug);
    if (related === null) return null;
    params[name] = related;
  }
  // The last parameter of a page's path is the slug of its entry.
  const own = paramsOf(route).at(-1);
  return pathTo(route, (own === undefined ? params : { ...params, [own]: slug }) as never);
}

function paramsOf(route: RouteId): readonly string[] {
  return Array.from(routeById(route).path.matchAll(/:(\w+)/g), ([, name = '']) => name);
}

export const MARKDOWN_SUFFIX = '.md';

const TEXT_ROUTES: ReadonlySet<string> = new Set([
  siteRoutes.article,
  ...entryTypes.map(({ route }) => route),
]);

/** Whether a route's pages have a Markdown version. It would bypass middleware that protects a page. */
export function hasMarkdown({ id, middleware }: Pick<RouteDefinition, 'id' | 'middleware'>): boolean {
  return TEXT_ROUTES.has(id) && middleware.length === 0;
}
