import { pathTo, type RouteId } from '../../shared/routing/routes.ts';

/** A page of the sample content for each route. */
export const SAMPLE_PATHS: Readonly<Record<RouteId, string>> = {
  home: pathTo('home', {}),
  page: pathTo('page', { slug: 'about' }),
  blog: pathTo('blog', {}),
  'blog-category': pathTo('blog-category', { category: 'guides' }),
  'blog-article': pathTo('blog-article', { category: 'guides', slug: 'reading-a-fee-statement' }),
  'business-solution': pathTo('business-solution', { slug: 'payouts' }),
  commerce: pathTo('commerce', { slug: 'marketplaces' }),
};
