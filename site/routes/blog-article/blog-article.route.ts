import type { Article, ShownArticle, TagRef } from '../../../shared/content/blog.ts';
import type { Breadcrumb, CategoryRef } from '../../../shared/content/links.ts';
import type { Question } from '../../../shared/content/rich-text.ts';
import type { Shown } from '../../../shared/content/seo.ts';
import { route } from '../../../shared/routing/route.ts';

export interface ArticleLink {
  readonly title: string;
  readonly href: string;
}

export interface BlogArticleData {
  /** The `slug` of its author is null for an author without a page. */
  article: Omit<Shown<Article>, 'questions' | 'tags'> & { category: CategoryRef; tags: readonly TagRef[] };
  related: readonly ShownArticle[];
  /** The next articles in the list of the category, in both directions. */
  newer: ArticleLink | null;
  older: ArticleLink | null;
  /** The questions of the article, or else of its category. */
  questions: readonly Question[];
  breadcrumbs: readonly Breadcrumb[];
}

export const blogArticle = route<BlogArticleData>()({
  id: 'blog-article',
  path: '/blog/:category/:slug',
  page: () => import('./blog-article.tsx'),
  load: () => __BROWSER__ || import('./blog-article.load.server.ts'),
  skeleton: 'article',
  layout: 'blog',
  layoutTransition: false,
});
