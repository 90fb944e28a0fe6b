import type { RouteId } from '../../shared/routing/routes.ts';
import { loadBlogArticle, loadBlogCategory, loadBlogIndex } from './load-blog.ts';
import { loadBusinessSolution, loadCommerce, loadGenericPage } from './load-entries.ts';
import { loadHome } from './load-home.ts';
import type { Loader } from './loader.ts';

/** A loader for each route; the compiler sees to it that none is missing. */
export const loaders = {
  home: loadHome,
  page: loadGenericPage,
  blog: loadBlogIndex,
  'blog-category': loadBlogCategory,
  'blog-article': loadBlogArticle,
  'business-solution': loadBusinessSolution,
  commerce: loadCommerce,
} satisfies { [Id in RouteId]: Loader<Id> };
