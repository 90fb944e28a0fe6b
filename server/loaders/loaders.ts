import type { RouteId } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { blogArchive, blogArchiveMonth, blogArchiveYear } from './load-archive.ts';
import { blogAuthor, blogTag } from './load-authors-and-tags.ts';
import { blogArticle, blogCategory, blogIndex } from './load-blog.ts';
import { businessSolution, commerce, genericPage } from './load-entries.ts';
import { home } from './load-home.ts';
import { search } from './load-search.ts';
import { subscribeConfirm, subscribeLeave } from './load-subscribe-pages.ts';
import type { RouteContent, SitemapLocation } from './loader.ts';

const ALL_PAGES = { first: 1, last: Number.POSITIVE_INFINITY };

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

/** @returns the paths in the sitemap, `most` of them, the one that was changed last first. */
export async function newestPaths(reader: ContentReader, most: number): Promise<readonly string[]> {
  const found: SitemapLocation[] = [];
  for (const { locations } of Object.values(routeContent)) {
    if (typeof locations === 'function') found.push(...(await locations(reader)));
    else for await (const part of locations.read(reader, ALL_PAGES)) found.push(...part);
  }
  const timeOf = ({ lastModified }: SitemapLocation) => Date.parse(lastModified ?? '') || 0;
  found.sort((a, b) => timeOf(b) - timeOf(a));
  return found.slice(0, most).map(({ path }) => path);
}
