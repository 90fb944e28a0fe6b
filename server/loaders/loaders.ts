import type { RouteId } from '../../shared/routing/routes.ts';
import { blogArchive, blogArchiveMonth, blogArchiveYear } from './load-archive.ts';
import { blogAuthor, blogTag } from './load-authors-and-tags.ts';
import { blogArticle, blogCategory, blogIndex } from './load-blog.ts';
import { businessSolution, commerce, genericPage } from './load-entries.ts';
import { home } from './load-home.ts';
import { search } from './load-search.ts';
import { subscribeConfirm, subscribeLeave } from './load-subscribe-pages.ts';
import type { RouteContent } from './loader.ts';

/** The loader and the sitemap addresses of each route. A route without an entry here does not compile. */
export const routeContent = {
  home,
  page: genericPage,
  blog: blogIndex,
  'blog-category': blogCategory,
  'blog-article': blogArticle,
  'blog-author': blogAuthor,
  'blog-tag': blogTag,
  'blog-archive': blogArchive,
  'blog-archive-year': blogArchiveYear,
  'blog-archive-month': blogArchiveMonth,
  'subscribe-confirm': subscribeConfirm,
  'subscribe-leave': subscribeLeave,
  'business-solution': businessSolution,
  commerce,
  search,
} satisfies { [Id in RouteId]: RouteContent<Id> };
