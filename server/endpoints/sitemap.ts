import { Readable } from 'node:stream';
import type { RequestHandler } from 'express';
import { SitemapStream, streamToPromise } from 'sitemap';
import { type ParamsOf, pathTo, type RouteId, routeTable } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';

interface Location {
  path: string;
  lastModified: string | null;
}

/** Where the pages of each route come from; a route added to the table without a row here does not compile. */
const locations: { [Id in RouteId]: (reader: ContentReader) => Promise<readonly Location[]> } = {
  home: async () => [{ path: pathTo('home', {}), lastModified: null }],
  blog: async () => [{ path: pathTo('blog', {}), lastModified: null }],
  'blog-category': async reader =>
    (await reader.categories()).list.map(({ slug }) => location('blog-category', { category: slug })),
  'blog-article': async reader =>
    (await reader.allArticles()).map(article =>
      location(
        'blog-article',
        { category: article.category.slug, slug: article.slug },
        article.updatedAt ?? article.date,
      ),
    ),
  'business-solution': async reader =>
    (await reader.entries('business-solutions')).map(({ slug, updatedAt }) =>
      location('business-solution', { slug }, updatedAt),
    ),
  commerce: async reader =>
    (await reader.entries('commerces')).map(({ slug, updatedAt }) =>
      location('commerce', { slug }, updatedAt),
    ),
  page: async reader =>
    (await reader.entries('pages')).map(({ slug, updatedAt }) => location('page', { slug }, updatedAt)),
};

/** `/sitemap.xml` (sitemaps.org): every page that has an address. */
export function sitemap(site: Site): RequestHandler {
  return async (_req, res) => {
    const reader = readerFor(site, res);
    const lists = await Promise.all(routeTable.map(({ id }) => locations[id](reader)));
    const stream = new SitemapStream({ hostname: scopeOf(res).origin });
    const items = lists
      .flat()
      .map(({ path, lastModified }) => ({ url: path, ...(lastModified ? { lastmod: lastModified } : {}) }));
    const xml = await streamToPromise(Readable.from(items).pipe(stream));
    res.set('Cache-Control', 'public, max-age=0, must-revalidate').type('application/xml').send(xml);
  };
}

function location<Id extends RouteId>(
  id: Id,
  params: ParamsOf<Id>,
  lastModified: string | null = null,
): Location {
  return { path: pathTo(id, params), lastModified };
}
