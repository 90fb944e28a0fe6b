import type { Article, ShownArticle, TagRef } from '../../../shared/content/blog.ts';
import type { Breadcrumb, CategoryRef } from '../../../shared/content/links.ts';
import type { Question } from '../../../shared/content/rich-text.ts';
import type { Shown, WithSections } from '../../../shared/content/seo.ts';
import type { Offer } from '../../../shared/content/settings.ts';
import { route } from '../../../shared/routing/route.ts';

export interface ArticleLink {
  readonly title: string;
  readonly href: string;
}

export interface BlogArticleData extends WithSections {
  /** The article. Its author's `slug` is null if the author has no page. */
  article: Omit<Shown<Article>, 'questions' | 'tags'> & { category: CategoryRef; tags: readonly TagRef[] };
  related: readonly ShownArticle[];
  newer: ArticleLink | null;
  older: ArticleLink | null;
  /** The questions of the article or, without any, of its category. */
  questions: readonly Question[];
  cta: Offer | null;
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
