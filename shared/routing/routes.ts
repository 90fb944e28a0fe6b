import { routes } from '../../site/routes.ts';
import type { DataOf, RouteFiles, RouteParams, RouteSettings } from './route.ts';

type Route = (typeof routes)[number];
export type RouteId = Route['id'];
export type LayoutName = Route['layout'];
export type NamedMiddleware = Route['middleware'][number];

export interface RouteDefinition extends RouteSettings, RouteFiles {
  readonly id: RouteId;
  readonly path: string;
  readonly layout: LayoutName;
}

export const routeTable: readonly RouteDefinition[] = routes;

/** For `/blog/:category/:slug`: `'category' | 'slug'`. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<More>
    : Rest
  : never;
export type ParamsOf<Id extends RouteId> = Readonly<
  Record<ParamNames<Extract<Route, { id: Id }>['path']>, string>
>;

export type PageDataByRoute = { readonly [R in Route as R['id']]: DataOf<R> };

const definitions = new Map(routeTable.map(route => [route.id, route]));

export function routeById(id: RouteId): RouteDefinition {
  const route = definitions.get(id);
  if (!route) throw new Error(`No route '${id}' in the table`);
  return route;
}

/** @returns the canonical path of a page, with percent-encoded parameters. */
export function pathTo<Id extends RouteId>(id: Id, params: ParamsOf<Id>): string {
  const values: RouteParams = params;
  return routeById(id).path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
