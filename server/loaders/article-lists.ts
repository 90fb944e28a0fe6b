import type { ArticleSummary, ListPage, ShownArticle } from '../../shared/content/blog.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { Breadcrumb } from '../../shared/payload/payload.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import type { LoaderHead } from './loader.ts';

/** @returns an article with the fields of its card alone: others would change the page without being shown. Only the first card names the author. */
export function cardOf(article: ArticleSummary): ShownArticle {
  const { id, title, description, slug, date, cover, category } = article;
  return { id, title, description, slug, date, cover, category, author: null };
}

export function blogCrumb(labels: Labels): Breadcrumb {
  return { title: labels.text('blog'), href: pathTo('blog', {}) };
}

/**
 * @returns the page of a list that a request asks for, from 1. `01` and `1.0` are malformed, so that no page has two addresses.
 * @throws HttpError 404 for a malformed number.
 */
export function requestedPage(query: URLSearchParams, path: string): number {
  const value = query.get('page');
  if (value === null) return 1;
  if (!/^[1-9]\d{0,4}$/.test(value)) throw HttpError.notFound(`${path}?page=${value}`);
  return Number(value);
}

/** @throws HttpError 404 for a page past the end of its list. The first page of an empty list is no error. */
export function requireArticles({ page, pageCount }: ListPage<unknown>, path: string): void {
  if (page > 1 && page > pageCount) throw HttpError.notFound(`${path}?page=${page}`);
}

/** @returns the list with the cards of its articles. */
export function cardsOf(list: ListPage<ArticleSummary>): ListPage<ShownArticle> {
  return { ...list, items: list.items.map(cardOf) };
}

/** @returns the head of one page of a list. All pages but the first have their number in the title, and an address of their own. */
export function headOfPage(head: LoaderHead, page: number, path: string, labels: Labels): LoaderHead {
  if (page === 1) return head;
  const { title } = head;
  return {
    ...head,
    title: title && labels.text('titleOfPage', { title, page }),
    canonical: `${path}?page=${page}`,
  };
}
