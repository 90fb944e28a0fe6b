import type { Category, ListPage, ShownArticle } from '../../../shared/content/blog.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';
import type { Shown, WithSections } from '../../../shared/content/seo.ts';
import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';

export interface BlogCategoryData extends WithSections {
  category: Shown<Category>;
  feed: string | null;
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}

export const blogCategory = route<BlogCategoryData>()({
  id: 'blog-category',
  path: '/blog/:category',
  page: () => import('./blog-category.tsx'),
  load: () => __BROWSER__ || import('./blog-category.load.server.ts'),
  reads: ['article'],
  skeleton: 'cards',
  layout: 'blog',
  ...NOT_ANIMATED,
  cardTransition: false,
  middleware: ['check-blog-category'],
  query: ['page'],
});
