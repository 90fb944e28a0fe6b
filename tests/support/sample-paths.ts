import { pathTo, type RouteDefinition, type RouteId, routeTable } from '../../shared/routing/routes.ts';

/**
 * The routes that open by a link of an e-mail. Their pages are neither stored nor hydrated, so they have
 * tests of their own.
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
 * A page on which tests begin that need any page: a first visit costs less than half of the processor time of
 * the landing page. Its chunk is not that of `/about` and `/contacts`, to which such tests go on.
 */
export const SMALL_PATH = SAMPLE_PATHS.commerce;

/** The rows of the routes in SAMPLE_PATHS. */
export const SAMPLE_ROUTES = routeTable.filter(
  (route): route is RouteDefinition & { readonly id: SampleRoute } => route.id in SAMPLE_PATHS,
);

/**
 * The rows of the routes whose pages show content alone. A page that answers a visitor's query is stored
 * apart, in memory only, is not in the sitemap, and is answered behind a limit.
 */
export const CONTENT_ROUTES = SAMPLE_ROUTES.filter(({ answersQueries }) => !answersQueries);
export const CONTENT_PATHS = CONTENT_ROUTES.map(({ id }) => SAMPLE_PATHS[id]);
