import type { ShownArticle } from '../../../shared/content/blog.ts';
import type { CategoryRef } from '../../../shared/content/links.ts';
import type { Question } from '../../../shared/content/rich-text.ts';
import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';

export interface BlogIndexData {
  h1: string;
  description: string | null;
  lead: ShownArticle | null;
  /** The sections without the lead article and without empty categories. */
  sections: readonly { category: CategoryRef; articles: readonly ShownArticle[] }[];
  questions: readonly Question[];
  /** The path of the feed; null while the site does not know its host. */
  feed: string | null;
}

export const blog = route<BlogIndexData>()({
  id: 'blog',
  path: '/blog',
  page: () => import('./blog.tsx'),
  load: () => __BROWSER__ || import('./blog.load.server.ts'),
  reads: ['article', 'author'],
  skeleton: 'cards',
  layout: 'blog',
  ...NOT_ANIMATED,
  cardTransition: false,
});
