import type { TypeDescription } from '../../shared/content/descriptions.ts';
import type { RouteId } from '../../shared/routing/routes.ts';
import { contentTypes } from '../../site/types.ts';

/** The routes of a type. The compiler checks that the site has every route named in a description. */
export type TypeRoutes = Pick<TypeDescription, 'path'> & {
  readonly route?: RouteId;
  readonly readBy: 'every page' | readonly RouteId[];
};

/** @returns the routes of a type by its path below `/api`. A type without pages has no routes. */
export function routesOfType(path: string): Pick<TypeRoutes, 'route' | 'readBy'> {
  return Object.values<TypeRoutes>(contentTypes).find(type => type.path === path) ?? { readBy: [] };
}
