import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { TypeDescription } from '../../shared/content/descriptions.ts';
import { pathTo, type RouteDefinition, type RouteId, routeTable } from '../../shared/routing/routes.ts';
import type { routes } from '../../site/routes.ts';
import { contentTypes } from '../../site/types.ts';
import { FIXTURE_CONTENT } from './fixture.ts';

/**
 * Routes opened by a link in an e-mail. Their pages are neither stored nor hydrated, so separate tests cover
 * them.
 */
type TokenRoute = Extract<(typeof routes)[number], { opensByToken: true }>['id'];
export type SampleRoute = Exclude<RouteId, TokenRoute>;

/** Sample addresses that tests need, and those that do not follow from the name of a file. */
const CHOSEN: Readonly<Partial<Record<RouteId, string>>> = {
  page: pathTo('page', { slug: 'about' }),
  'blog-category': pathTo('blog-category', { category: 'guides' }),
  'blog-article': pathTo('blog-article', { category: 'guides', slug: 'reading-a-fee-statement' }),
  'blog-author': pathTo('blog-author', { slug: 'marta-lindqvist' }),
  'blog-tag': pathTo('blog-tag', { slug: 'fees' }),
  'blog-archive-year': pathTo('blog-archive-year', { year: '2026' }),
  'blog-archive-month': pathTo('blog-archive-month', { year: '2026', month: '05' }),
  'business-solution': pathTo('business-solution', { slug: 'payouts' }),
  commerce: pathTo('commerce', { slug: 'marketplaces' }),
};

/** @returns the address of the first entry in the sample content, or of a page without parameters. */
function sampleOf({ id, path: pattern }: RouteDefinition): string {
  const chosen = CHOSEN[id];
  if (chosen !== undefined) return chosen;
  const { file } = Object.values<TypeDescription>(contentTypes).find(({ route }) => route === id) ?? {};
  const folder = file?.endsWith('/') ? path.join(FIXTURE_CONTENT, file) : null;
  const [first] = folder ? readdirSync(folder).sort() : [];
  const sample = first ? pattern.replace(/:\w+$/, path.parse(first).name) : pattern;
  if (sample.includes(':')) throw new Error(`The sample content has no page of the route '${id}'`);
  return sample;
}

/** Rows of the routes in SAMPLE_PATHS. */
export const SAMPLE_ROUTES = routeTable.filter(
  (route): route is RouteDefinition & { readonly id: SampleRoute } => route.opensByToken !== true,
);

/** A page of the sample content for each route. The cast is safe, because these routes are the keys. */
export const SAMPLE_PATHS = Object.fromEntries(
  SAMPLE_ROUTES.map(route => [route.id, sampleOf(route)]),
) as Readonly<Record<SampleRoute, string>>;

/**
 * First page of tests that need any page. A visit takes less than half the processor time of the landing
 * page. Its chunk differs from that of `/about` and `/contacts`, the usual next pages.
 */
export const SMALL_PATH = SAMPLE_PATHS.commerce;

/**
 * Rows of the routes whose pages show only content. A page that answers a visitor's query is stored
 * separately in memory. It is not in the sitemap, and has a rate limit.
 */
export const CONTENT_ROUTES = SAMPLE_ROUTES.filter(({ answersQueries }) => !answersQueries);
export const CONTENT_PATHS = CONTENT_ROUTES.map(({ id }) => SAMPLE_PATHS[id]);
