import { pathTo, type RouteId, routeById } from '../../shared/routing/routes.ts';
import { routes } from '../../site/routes.ts';
import { contentTypes } from '../../site/types.ts';
import { joined } from '../wire/content-calls.ts';
import { entryOf } from '../wire/wire.ts';
import { safeSlug } from './safe-address.ts';

type TypeName = keyof typeof contentTypes;

// The compiler checks here that routes name types of the site, and types its routes.
const types: Readonly<
  Record<TypeName, { path: string | null; route?: RouteId; isPage?: true; onEveryPage?: true }>
> = contentTypes;
const readers: readonly { id: RouteId; reads: readonly TypeName[]; readsPages?: true }[] = routes;

/** The routes of a type. A type without pages of its own has no `route`. */
export interface TypeRoutes {
  readonly route?: RouteId;
  readonly readBy: 'every page' | readonly RouteId[];
}

export function routesOfType(path: string): TypeRoutes {
  const [name, type] = Object.entries(types).find(([, one]) => one.path === path) ?? [];
  if (!type) return { readBy: [] };
  const { route, isPage, onEveryPage } = type;
  const reads = ({ reads, readsPages }: (typeof readers)[number]) =>
    reads.some(read => read === name) || (isPage && readsPages);
  const readBy = new Set([...(route ? [route] : []), ...readers.filter(reads).map(({ id }) => id)]);
  return { ...(route && { route }), readBy: onEveryPage ? 'every page' : [...readBy] };
}

/** The relations whose slugs stand before an entry's own in its address, such as the category of an article. */
export function relationsInPath(route: RouteId): readonly string[] {
  return paramsOf(route).slice(0, -1);
}

/** The part of a query that asks for the slugs of these relations. */
export function queryOfRelations(route: RouteId): string {
  return joined(...relationsInPath(route).map(name => `populate[${name}][fields][0]=slug`));
}

/** @returns null for an entry without one of the relations in its address. */
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
