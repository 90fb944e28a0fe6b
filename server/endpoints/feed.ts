import type { RequestHandler } from 'express';
import { Feed } from 'feed';
import { pathTo } from '../../shared/routing/routes.ts';
import { SITE_LANGUAGE } from '../../shared/site-constants.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { siteNameOf } from '../loaders/shell.ts';
import type { Site } from '../site.ts';

/** `/blog/feed.xml` (RSS 2.0): the newest articles with their descriptions. */
export function feed(site: Pick<Site, 'content' | 'metrics'>): RequestHandler {
  return async (_req, res) => {
    const reader = readerFor(site, res);
    const { origin } = scopeOf(res);
    const [newest, config, settings] = await Promise.all([
      reader.newestArticles(),
      reader.blogPage('used'),
      reader.settings(),
    ]);
    const siteName = siteNameOf(settings);
    const rss = new Feed({
      id: origin + pathTo('blog', {}),
      link: origin + pathTo('blog', {}),
      title: config.title ?? `${siteName} – Blog`,
      description: config.description ?? '',
      language: SITE_LANGUAGE,
      copyright: siteName,
      ...(newest[0] ? { updated: new Date(newest[0].date) } : {}),
      feedLinks: { rss: `${origin}/blog/feed.xml` },
    });
    for (const article of newest) {
      const link = origin + pathTo('blog-article', { category: article.category.slug, slug: article.slug });
      rss.addItem({
        id: link,
        link,
        title: article.title,
        date: new Date(article.date),
        category: [{ name: article.category.name }],
        ...(article.description ? { description: article.description } : {}),
        ...(article.author ? { author: [{ name: article.author.name }] } : {}),
      });
    }
    res
      .set('Cache-Control', 'public, max-age=0, must-revalidate')
      .type('application/rss+xml')
      .send(rss.rss2());
  };
}
