import type { LoaderHead } from '../../../server/loading/loader.ts';
import type { ArticleSummary, ListPage, ShownArticle } from '../../../shared/content/blog.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';
import type { Labels } from '../../../shared/labels/labels.ts';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { pageAddress } from '../../../shared/routing/page-numbers.ts';
import { pathTo } from '../../../shared/routing/routes.ts';

/** Leaves out the time of the change, which no card shows. Only the first card names the author. */
export function cardOf({ updatedAt: _, ...article }: ArticleSummary): ShownArticle {
  return { ...article, author: null };
}

export function blogCrumb(labels: Labels): Breadcrumb {
  return { title: labels.text('blog'), href: pathTo('blog', {}) };
}

/** @returns the requested page, from 1. `01` and `1.0` are a 404, so that no page has two addresses. */
export function requestedPage(query: URLSearchParams, path: string): number {
  const value = query.get('page');
  if (value === null) return 1;
  if (!/^[1-9]\d{0,4}$/.test(value)) throw HttpError.notFound(`${path}?page=${value}`);
  return Number(value);
}

/** Throws a 404 for a page past the end of its list, except the first page of an empty list. */
export function requireArticles({ page, pageCount }: ListPage<unknown>, path: string): void {
  if (page > 1 && page > pageCount) throw HttpError.notFound(`${path}?page=${page}`);
}

export function cardsOf(list: ListPage<ArticleSummary>): ListPage<ShownArticle> {
  return { ...list, items: list.items.map(cardOf) };
}

export function headOfPage(head: LoaderHead, page: number, path: string, labels: Labels): LoaderHead {
  if (page === 1) return head;
  const { title } = head;
  return {
    ...head,
    title: title && labels.text('titleOfPage', { title, page }),
    canonical: pageAddress(path, page),
  };
}

/** @returns the time of the articles' newest change, because lists change with their articles. */
export function lastChange(articles: readonly ArticleSummary[]): string | null {
  const changes = articles.map(({ date, updatedAt }) =>
    updatedAt !== null && updatedAt > date ? updatedAt : date,
  );
  return changes.sort().at(-1) ?? null;
}
