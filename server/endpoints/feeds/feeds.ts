import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { lookup } from 'mime-types';
import type { Author } from '../../../shared/content/blog.ts';
import type { Labels } from '../../../shared/labels/labels.ts';
import {
  FEED_FILES,
  FEED_FORMATS,
  FEED_TYPES,
  type FeedFormat,
  type FeedRoute,
  feedPagePath,
  feedPath,
  hasFeed,
} from '../../../shared/routing/feeds.ts';
import { matchRoute } from '../../../shared/routing/match-route.ts';
import { pathTo, type RouteParams } from '../../../shared/routing/routes.ts';
import { ContentReader } from '../../content/content-reader.ts';
import type { FeedArticle } from '../../content/lists/feed-articles.ts';
import { beginOf } from '../../content/lists/site-time.ts';
import { scopeOf } from '../../http/request-scope.ts';
import { titleWith } from '../../loaders/head.ts';
import { siteNameOf } from '../../loaders/shell.ts';
import type { Site } from '../../site.ts';
import { type DocumentSite, storedDocument } from '../stored-document.ts';
import { articleHtml } from './article-html.ts';
import type { FeedAttachment, FeedDocument, FeedItem } from './feed-document.ts';
import { writeAtom } from './write-atom.ts';
import { writeJsonFeed } from './write-json-feed.ts';
import { writeRss } from './write-rss.ts';

const WRITERS: Readonly<Record<FeedFormat, (feed: FeedDocument) => string>> = {
  rss: writeRss,
  atom: writeAtom,
  json: writeJsonFeed,
};

/** The articles of a feed, and the words about them. */
interface Channel {
  /** Without the name of the site. */
  readonly title: string;
  readonly description: string | null;
  readonly articles: readonly FeedArticle[];
}

/** How each route with feeds finds its articles. Null for an address without a page. */
const CHANNELS: {
  readonly [Id in FeedRoute]: (
    reader: ContentReader,
    params: RouteParams,
    labels: Labels,
  ) => Promise<Channel | null>;
} = {
  async blog(reader) {
    const [{ title, description }, articles] = await Promise.all([
      reader.blogPage('used'),
      reader.articlesOfFeed({ by: 'blog' }),
    ]);
    return { title: title ?? '', description, articles };
  },
  async 'blog-category'(reader, { category: slug = '' }) {
    const [category, { storedSlugs }] = await Promise.all([reader.category(slug), reader.categories('used')]);
    if (category === null) return null;
    const { title, name, description } = category;
    const storedSlug = storedSlugs.get(slug) ?? slug;
    const articles = await reader.articlesOfFeed({ by: 'category', storedSlug });
    return { title: title ?? name, description, articles };
  },
  async 'blog-author'(reader, { slug = '' }) {
    const author = await reader.authorWithSlug(slug);
    if (author === null) return null;
    const articles = await reader.articlesOfFeed({ by: 'author', id: author.id });
    return { title: author.name, description: author.description, articles };
  },
  async 'blog-tag'(reader, { slug = '' }, labels) {
    const tag = await reader.tagWithSlug(slug);
    if (tag === null) return null;
    const articles = await reader.articlesOfFeed({ by: 'tag', id: tag.id });
    return {
      title: labels.text('articlesTagged', { tag: tag.name }),
      description: tag.description,
      articles,
    };
  },
};

/**
 * The feeds of the blog and of each list of articles: `/blog/feed.xml` (RSS 2.0), `/blog/atom.xml` (Atom 1.0), `/blog/feed.json`
 * (JSON Feed 1.1), `/blog/guides/feed.xml`, `/blog/authors/jane-roe/feed.xml` and so on, each with the newest articles in full.
 */
export function feeds(site: DocumentSite & Pick<Site, 'routes'>): RequestHandler {
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const asked = feedAt(site, req.path);
    if (asked === null) return next();
    return storedDocument(site, {
      contentType: `${FEED_TYPES[asked.format]}; charset=utf-8`,
      showsMedia: true,
      async write(reader, origin) {
        const { labels } = site.languageOf(await reader.settings());
        const channel = await CHANNELS[asked.route](reader, asked.params, labels);
        if (channel === null) return null;
        return Buffer.from(
          WRITERS[asked.format](await feedDocument(site, reader, { ...asked, origin, channel })),
        );
      },
    })(req, res, (error?: unknown) => {
      if (error !== undefined) return next(error);
      const reader = new ContentReader(site.content, { signal: scopeOf(res).signal, onEvent: () => {} });
      formerFeed(asked, reader).then(to => (to === null ? next() : res.redirect(308, to)), next);
    });
  };
}

/** @returns the present feed of a renamed author or tag; null without one. A former feed of a category is found like a page. */
async function formerFeed(
  { route, params: { slug = '' }, format }: AskedFeed,
  reader: ContentReader,
): Promise<string | null> {
  if (route !== 'blog-author' && route !== 'blog-tag') return null;
  const now = route === 'blog-author' ? await reader.authorBefore(slug) : await reader.tagBefore(slug);
  return now && feedPath(pathTo(route, { slug: now.slug ?? '' }), format);
}

interface AskedFeed {
  readonly format: FeedFormat;
  readonly route: FeedRoute;
  readonly params: RouteParams;
  /** The path of the page with the same articles. */
  readonly page: string;
}

/** @returns the feed that a path names; null for any other path, and for one in another spelling. */
function feedAt({ routes }: Pick<Site, 'routes'>, path: string): AskedFeed | null {
  const format = FEED_FORMATS.find(each => path.endsWith(`/${FEED_FILES[each]}`));
  if (format === undefined) return null;
  const page = path.slice(0, -FEED_FILES[format].length - 1);
  const match = matchRoute(routes, page);
  if (!match || !hasFeed(match.route.id)) return null;
  const { route, params } = { route: match.route.id, params: match.params };
  return feedPagePath(route, params) === page ? { format, route, params, page } : null;
}

async function feedDocument(
  { languageOf }: Pick<Site, 'languageOf'>,
  reader: ContentReader,
  { format, page, origin, channel }: AskedFeed & { origin: string; channel: Channel },
): Promise<FeedDocument> {
  const settings = await reader.settings();
  const siteName = siteNameOf(settings, origin);
  const { labels, page: language } = languageOf(settings);
  const items: FeedItem[] = [];
  for (const article of channel.articles) {
    const author = article.author && (await reader.authorLink(article.author.id));
    items.push(itemOf(article, author, origin, language.timeZone));
    // Thirty long texts would hold the loop.
    await nextTurn();
  }
  return {
    title: channel.title ? titleWith(channel.title, siteName) : labels.text('blogOf', { site: siteName }),
    description: channel.description ?? '',
    page: origin + page,
    self: origin + feedPath(page, format),
    siteName,
    locale: language.locale,
    updated:
      items
        .map(({ updated }) => updated)
        .sort()
        .at(-1) ?? null,
    items,
  };
}

/** @param link the name and the page of the author, who has a copy of the name in the article. */
function itemOf(
  article: FeedArticle,
  link: Pick<Author, 'name' | 'slug'> | null,
  origin: string,
  timeZone: string,
): FeedItem {
  const { title, description, slug, body, updatedAt, category, author, tags } = article;
  const date = beginOf(article.date, timeZone);
  const authorPage = link?.slug ? origin + pathTo('blog-author', { slug: link.slug }) : null;
  const address = origin + pathTo('blog-article', { category: category.slug, slug });
  return {
    address,
    title,
    summary: description,
    html: body.length > 0 ? articleHtml(body, address) : null,
    published: date,
    // An article with a date in the future was changed before that.
    updated: updatedAt !== null && updatedAt > date ? updatedAt : date,
    author: author && { name: link?.name ?? author.name, address: authorPage },
    topics: [category.name, ...tags.map(({ name }) => name)],
    picture: pictureOf(article, origin),
  };
}

function pictureOf({ cover, coverFile }: FeedArticle, origin: string): FeedAttachment | null {
  const address = cover && URL.parse(cover.src, origin);
  const type = address && (coverFile.type || lookup(address.pathname));
  return address && type ? { address: address.href, type, bytes: coverFile.bytes } : null;
}
