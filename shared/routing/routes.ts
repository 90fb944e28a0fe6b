/** The layouts of pages. */
export type LayoutName = 'default' | 'blog';

export type RouteParams = Readonly<Record<string, string>>;

/** The answer of a route's `validate`: `true` for valid parameters, `false` for a 404, or an error, whose status is 404 by default. */
export type ValidationResult = boolean | { statusCode?: number; statusMessage?: string; message?: string };

/** A row of the route table. */
interface RouteRow {
  readonly id: string;
  /** The path in React Router's notation. A parameter is one segment. */
  readonly path: string;
  readonly layout: LayoutName;
  /** Whether a navigation to this route is animated when the layout stays. */
  readonly pageTransition: boolean;
  /** Whether a navigation to this route is animated when the layout changes. */
  readonly layoutTransition: boolean;
  /** Names of route middleware (`middleware/registry.ts`), in the order of execution. */
  readonly middleware: readonly string[];
  /** The query parameters that change the page. Loaders and caches ignore all others. */
  readonly query: readonly string[];
  /** Whether the route's pages may show the contact form: only there `?sent=contact` names a page of its own, with the thanks. */
  readonly hasContact: boolean;
  /** Whether the page's markup depends on the device class. */
  readonly readsDevice: boolean;
  /**
   * Whether the route's middleware reads `from`, the route that a navigation comes from. The answers of such a route are not stored, neither
   * page nor payload.
   */
  readonly readsFrom?: boolean;
  /**
   * Whether the route answers whatever visitors ask. Its pages have a cache of their own, so that they push out no other page, and caches in front do
   * not keep them.
   */
  readonly answersQueries?: true;
  /**
   * Whether the route's pages open by a link of an e-mail, whose token is in the address. Such a page has no scripts, is not stored, and no
   * form leads back to it (`server/forms/subscribe-pages.ts`).
   */
  readonly opensByToken?: boolean;
  readonly validate?: (params: RouteParams) => ValidationResult;
}

const base = {
  layout: 'default',
  pageTransition: true,
  layoutTransition: true,
  middleware: [],
  query: [],
  hasContact: false,
  readsDevice: false,
} as const;
const byToken = { opensByToken: true, query: ['state'] } as const;
/** A year and a month of the archive: 2026 and 01 to 12. */
const YEAR = /^[12]\d{3}$/;
const MONTH = /^(?:0[1-9]|1[0-2])$/;
const notAnimated = { pageTransition: false, layoutTransition: false } as const;

/**
 * The site's routes. Matching, links, caches and tests read this table. A row compiles only with its data (`payload.ts`), its page
 * (`route-pages.ts`) and its loader (`server/loaders/loaders.ts`).
 */
const routes = [
  { ...base, hasContact: true, id: 'home', path: '/' },
  { ...base, id: 'blog', path: '/blog', layout: 'blog', ...notAnimated },
  {
    ...base,
    id: 'blog-category',
    path: '/blog/:category',
    layout: 'blog',
    ...notAnimated,
    middleware: ['check-blog-category'],
    query: ['page'],
  },
  {
    ...base,
    id: 'blog-article',
    path: '/blog/:category/:slug',
    layout: 'blog',
    layoutTransition: false,
  },
  {
    ...base,
    id: 'blog-author',
    path: '/blog/authors/:slug',
    layout: 'blog',
    ...notAnimated,
    query: ['page'],
  },
  { ...base, id: 'blog-tag', path: '/blog/tags/:slug', layout: 'blog', ...notAnimated, query: ['page'] },
  { ...base, id: 'blog-archive', path: '/blog/archive', layout: 'blog', ...notAnimated },
  {
    ...base,
    id: 'blog-archive-year',
    path: '/blog/archive/:year',
    layout: 'blog',
    ...notAnimated,
    query: ['page'],
    validate: ({ year = '' }) => YEAR.test(year),
  },
  {
    ...base,
    id: 'blog-archive-month',
    path: '/blog/archive/:year/:month',
    layout: 'blog',
    ...notAnimated,
    query: ['page'],
    validate: ({ year = '', month = '' }) => YEAR.test(year) && MONTH.test(month),
  },
  { ...base, id: 'business-solution', path: '/business-solutions/:slug' },
  { ...base, id: 'commerce', path: '/commerce/:slug' },
  {
    ...base,
    id: 'search',
    path: '/search',
    query: ['q', 'type', 'category', 'page'],
    answersQueries: true,
  },
  { ...base, ...byToken, id: 'subscribe-confirm', path: '/subscribe/confirm' },
  { ...base, ...byToken, id: 'subscribe-leave', path: '/subscribe/leave' },
  { ...base, hasContact: true, id: 'page', path: '/:slug' },
] as const satisfies readonly RouteRow[];

type Route = (typeof routes)[number];
export type RouteId = Route['id'];
/** The middleware that the table names. */
export type NamedMiddleware = Route['middleware'][number];

/** A row of the site's table, or of a test's table. */
export interface RouteDefinition extends RouteRow {
  readonly id: RouteId;
}

export const routeTable: readonly RouteDefinition[] = routes;

/** The names of a path's parameters, such as `'category' | 'slug'` for `/blog/:category/:slug`. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<More>
    : Rest
  : never;
/** The parameters of each route's path. */
export type ParamsOf<Id extends RouteId> = Readonly<
  Record<ParamNames<Extract<Route, { id: Id }>['path']>, string>
>;

/**
 * `Rows`, checked by the compiler: it has exactly one member for each route.
 */
export type PerRoute<
  Rows extends { readonly [Id in RouteId]: unknown } & {
    readonly [Other in Exclude<keyof Rows, RouteId>]: never;
  },
> = Rows;

const definitions = new Map(routeTable.map(route => [route.id, route]));

/**
 * @returns the table's row of a route.
 * @throws Error for an unknown id, which is a mistake of the program.
 */
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
