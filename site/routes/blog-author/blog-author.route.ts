import type { Author, ListPage, ShownArticle } from '../../../shared/content/blog.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';
import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';

export interface BlogAuthorData {
  author: Author;
  feed: string | null;
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}

export const blogAuthor = route<BlogAuthorData>()({
  id: 'blog-author',
  path: '/blog/authors/:slug',
  page: () => import('./blog-author.tsx'),
  load: () => __BROWSER__ || import('./blog-author.load.server.ts'),
  reads: ['article'],
  layout: 'blog',
  ...NOT_ANIMATED,
  query: ['page'],
});
