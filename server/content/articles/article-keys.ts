import { siteTypes } from '../../../site/types.ts';
import type { ArticleOrder } from '../reading/read-values.ts';

const ARTICLES = siteTypes.article.path;
export const NEWEST_KEY = `${ARTICLES}?newest`;
/** Names the stored slug, because an entry always reloads with the slug of its first request. */
export const categoryListKey = (slug: string, page: number, storedSlug: string) =>
  `${ARTICLES}?category=${slug}&page=${page}${storedSlug === slug ? '' : `&stored=${encodeURIComponent(storedSlug.toWellFormed())}`}`;
/** Names the order, because another order divides the articles into other pages. */
export const articlesKey = (key: string, { by }: ArticleOrder) => `${key}&by=${by}`;

/** The keys of the first page of each category, and of the newest articles. */
export function cachedArticleKeys(storedSlugs: ReadonlyMap<string, string>): {
  categories: readonly string[];
  newest: readonly string[];
} {
  const inBothOrders = (key: string) => [
    articlesKey(key, { by: 'date' }),
    articlesKey(key, { by: 'publishedAt' }),
  ];
  return {
    categories: [...storedSlugs].flatMap(([slug, stored]) => inBothOrders(categoryListKey(slug, 1, stored))),
    newest: inBothOrders(NEWEST_KEY),
  };
}
