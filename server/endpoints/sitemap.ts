import { Readable } from 'node:stream';
import type { RequestHandler } from 'express';
import { SitemapStream, streamToPromise } from 'sitemap';
import { routeTable } from '../../shared/routing/routes.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { routeContent } from '../loaders/loaders.ts';
import type { Site } from '../site.ts';

/** `/sitemap.xml` (sitemaps.org) lists the pages of all routes. */
export function sitemap(site: Pick<Site, 'content' | 'metrics'>): RequestHandler {
  return async (_req, res) => {
    const reader = readerFor(site, res);
    const lists = await Promise.all(routeTable.map(({ id }) => routeContent[id].locations(reader)));
    const stream = new SitemapStream({ hostname: scopeOf(res).origin });
    const items = lists
      .flat()
      .map(({ path, lastModified }) => ({ url: path, ...(lastModified ? { lastmod: lastModified } : {}) }));
    const xml = await streamToPromise(Readable.from(items).pipe(stream));
    res.set('Cache-Control', 'public, max-age=0, must-revalidate').type('application/xml').send(xml);
  };
}
