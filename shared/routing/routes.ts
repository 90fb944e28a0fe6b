import type { RouteMiddlewareName } from './middleware/registry.ts';

/** The layouts a route can stand in. */
export type LayoutName = 'default' | 'blog';

export type RouteParams = Readonly<Record<string, string>>;

/** What a route's `validate` may answer: `true`, or an error whose status is 404 unless it says another. */
export type ValidationResult = boolean | { statusCode?: number; statusMessage?: string; message?: string };

/** One row of the route table. */
export interface RouteDefinition {
  id: RouteId;
  /** In React Router's notation; a parameter is one path segment. */
  path: string;
  layout: LayoutName;
  /** Whether a navigation to this route is animated within a layout, and when the layout changes. */
  pageTransition: boolean;
  layoutTransition: boolean;
  /** Names from the middleware registry, run in this order. Plain strings: an unknown one must be found, not typed away. */
  middleware: readonly (RouteMiddlewareName | (string & {}))[];
  /** The query parameters that change the page. All others are ignored by loaders and caches. */
  query: readonly string[];
  /** Whether the page's markup depends on the device class. */
  readsDevice: boolean;
  validate?: (params: RouteParams) => ValidationResult;
}

export type RouteId =
  | 'home'
  | 'page'
  | 'blog'
  | 'blog-category'
  | 'blog-article'
  | 'business-solution'
  | 'commerce';

const base = {
  layout: 'default',
  pageTransition: true,
  layoutTransition: true,
  middleware: [],
  query: [],
  readsDevice: false,
} as const;
const still = { pageTransition: false, layoutTransition: false } as const;

/** The site's routes. Whatever needs a route asks this table: matching, links, loaders, sitemap, cache, tests. */
export const routeTable: readonly RouteDefinition[] = [
  { ...base, id: 'home', path: '/' },
  { ...base, id: 'blog', path: '/blog', layout: 'blog', ...still },
  {
    ...base,
    id: 'blog-category',
    path: '/blog/:category',
    layout: 'blog',
    ...still,
    middleware: ['check-blog-category'],
    query: ['page'],
  },
  {
    ...base,
    id: 'blog-article',
    path: '/blog/:category/:slug',
    layout: 'blog',
    layoutTransition: false,
    readsDevice: true,
  },
  { ...base, id: 'business-solution', path: '/business-solutions/:slug' },
  { ...base, id: 'commerce', path: '/commerce/:slug' },
  { ...base, id: 'page', path: '/:slug' },
];

type PathParams = {
  home: Record<never, string>;
  page: { slug: string };
  blog: Record<never, string>;
  'blog-category': { category: string };
  'blog-article': { category: string; slug: string };
  'business-solution': { slug: string };
  commerce: { slug: string };
};
/** The parameters of each route's path. */
export type ParamsOf<Id extends RouteId> = PathParams[Id];

const definitions = new Map(routeTable.map(route => [route.id, route]));

/**
 * @returns the table's row of a route.
 * @throws Error for an id that is in no row: a mistake of the program.
 */
export function routeById(id: RouteId): RouteDefinition {
  const route = definitions.get(id);
  if (!route) throw new Error(`No route '${id}' in the table`);
  return route;
}

/** @returns the canonical path of a page, its parameters percent-encoded. */
export function pathTo<Id extends RouteId>(id: Id, params: ParamsOf<Id>): string {
  const values: RouteParams = params;
  return routeById(id).path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
