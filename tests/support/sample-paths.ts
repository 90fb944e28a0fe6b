import { pathTo, type RouteDefinition, type RouteId, routeTable } from '../../shared/routing/routes.ts';

/**
 * Routes opened by a link in an e-mail. Their pages are neither stored nor hydrated, so separate tests cover
 * them.
 */
type TokenRoute = 'subscribe-confirm' | 'subscribe-leave';
export type SampleRoute = Exclude<RouteId, TokenRoute>;

/** A page of the sample content for each route. */
export const SAMPLE_PATHS: Readonly<Record<SampleRoute, string>> = {
  home: pathTo('home', {}),
  page: pathTo('page', { slug: 'about' }),
  blog: pathTo('blog', {}),
  'blog-category': pathTo('blog-category', { category: 'guides' }),
  'blog-article': pathTo('blog-article', { category: 'guides', slug: 'reading-a-fee-statement' }),
  'blog-author': pathTo('blog-author', { slug: 'marta-lindqvist' }),
  'blog-tag': pathTo('blog-tag', { slug: 'fees' }),
  'blog-archive': pathTo('blog-archive', {}),
  'blog-archive-year': pathTo('blog-archive-year', { year: '2026' }),
  'blog-archive-month': pathTo('blog-archive-month', { year: '2026', month: '05' }),
  'business-solution': pathTo('business-solution', { slug: 'payouts' }),
  commerce: pathTo('commerce', { slug: 'marketplaces' }),
  search: pathTo('search', {}),
};

/**
 * First page of tests that need any page: a visit takes less than half the processor time of the landing
 * page. Its chunk differs from that of `/about` and `/contacts`, the usual next pages.
 */
export const SMALL_PATH = SAMPLE_PATHS.commerce;

/** Rows of the routes in SAMPLE_PATHS. */
export const SAMPLE_ROUTES = routeTable.filter(
  (route): route is RouteDefinition & { readonly id: SampleRoute } => route.id in SAMPLE_PATHS,
);

/**
 * Rows of the routes whose pages show only content. A page that answers a visitor's query is stored
 * separately in memory, is not in the sitemap, and has a rate limit.
 */
export const CONTENT_ROUTES = SAMPLE_ROUTES.filter(({ answersQueries }) => !answersQueries);
export const CONTENT_PATHS = CONTENT_ROUTES.map(({ id }) => SAMPLE_PATHS[id]);
