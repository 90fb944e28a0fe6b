import type { RequestHandler } from 'express';
import { Feed } from 'feed';
import { pathTo } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { siteNameOf } from '../loaders/shell.ts';
import { type DocumentSite, storedDocument } from './stored-document.ts';

/** `/blog/feed.xml` (RSS 2.0): the newest articles with their descriptions. */
export function feed(site: DocumentSite): RequestHandler {
  return storedDocument(site, {
    contentType: 'application/rss+xml; charset=utf-8',
    write: async (reader, origin) => Buffer.from(await rss(site, reader, origin)),
  });
}

async function rss({ languageOf }: DocumentSite, reader: ContentReader, origin: string): Promise<string> {
  const [newest, config, settings] = await Promise.all([
    reader.newestArticles(),
    reader.blogPage('used'),
    reader.settings(),
  ]);
  const siteName = siteNameOf(settings);
  const { labels, page } = languageOf(settings);
  const document = new Feed({
    id: origin + pathTo('blog', {}),
    link: origin + pathTo('blog', {}),
    title: config.title ?? labels.text('blogOf', { site: siteName }),
    description: config.description ?? '',
    language: page.locale,
    copyright: siteName,
    ...(newest[0] ? { updated: new Date(newest[0].date) } : {}),
    feedLinks: { rss: `${origin}/blog/feed.xml` },
  });
  for (const article of newest) {
    const link = origin + pathTo('blog-article', { category: article.category.slug, slug: article.slug });
    document.addItem({
      id: link,
      link,
      title: article.title,
      date: new Date(article.date),
      category: [{ name: article.category.name }],
      ...(article.description ? { description: article.description } : {}),
      ...(article.author ? { extensions: [creator(article.author.name)] } : {}),
    });
  }
  return document.rss2();
}

/**
 * The name of an author. RSS 2.0 has e-mail addresses in `<author>`, so a name belongs into `dc:creator`. The package declares the
 * namespace only for feeds with complete articles, so the element declares it itself.
 */
function creator(name: string): { name: string; objects: Record<string, unknown> } {
  return {
    name: 'dc:creator',
    objects: { _attributes: { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' }, _text: name },
  };
}
