import type { TypeDescription } from '../../shared/content/descriptions.ts';
import type { RouteId } from '../../shared/routing/routes.ts';
import { contentTypes } from '../../site/types.ts';

/** The routes of a type. The compiler checks that the site has each route that a description names. */
export type TypeRoutes = Pick<TypeDescription, 'path'> & {
  readonly route?: RouteId;
  readonly readBy: 'every page' | readonly RouteId[];
};

/** @returns the routes of the type with this path below `/api`. A type without pages has none. */
export function routesOfType(path: string): Pick<TypeRoutes, 'route' | 'readBy'> {
  return Object.values<TypeRoutes>(contentTypes).find(type => type.path === path) ?? { readBy: [] };
}
