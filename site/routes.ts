import { blog } from './routes/blog/blog.route.ts';
import { blogArchive } from './routes/blog-archive/blog-archive.route.ts';
import { blogArchiveMonth } from './routes/blog-archive-month/blog-archive-month.route.ts';
import { blogArchiveYear } from './routes/blog-archive-year/blog-archive-year.route.ts';
import { blogArticle } from './routes/blog-article/blog-article.route.ts';
import { blogAuthor } from './routes/blog-author/blog-author.route.ts';
import { blogCategory } from './routes/blog-category/blog-category.route.ts';
import { blogTag } from './routes/blog-tag/blog-tag.route.ts';
import { businessSolution } from './routes/business-solution/business-solution.route.ts';
import { commerce } from './routes/commerce/commerce.route.ts';
import { home } from './routes/home/home.route.ts';
import { page } from './routes/page/page.route.ts';
import { search } from './routes/search/search.route.ts';
import { subscribeConfirm } from './routes/subscribe-confirm/subscribe-confirm.route.ts';
import { subscribeLeave } from './routes/subscribe-leave/subscribe-leave.route.ts';

/** The only list of the site's routes. */
export const routes = [
  home,
  blog,
  blogCategory,
  blogArticle,
  blogAuthor,
  blogTag,
  blogArchive,
  blogArchiveYear,
  blogArchiveMonth,
  businessSolution,
  commerce,
  search,
  subscribeConfirm,
  subscribeLeave,
  page,
] as const;

/** The routes that code outside `site/` links to, by their role. That code knows no other route. */
export const siteRoutes = {
  home: 'home',
  page: 'page',
  search: 'search',
  blog: 'blog',
  category: 'blog-category',
  article: 'blog-article',
  author: 'blog-author',
  tag: 'blog-tag',
  confirmation: 'subscribe-confirm',
  leaving: 'subscribe-leave',
} as const satisfies Readonly<Record<string, (typeof routes)[number]['id']>>;

export const LAYOUT_WITH_CATEGORIES = 'blog' satisfies (typeof routes)[number]['layout'];
