import { setImmediate as nextTick } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { lookup } from 'mime-types';
import type { Author } from '../../../shared/content/blog.ts';
import {
  SHARE_CARD_NAME,
  SHARE_CARDS,
  SHARE_PICTURE,
  sharePictureOf,
} from '../../../shared/content/image.ts';
import type { Labels } from '../../../shared/labels/labels.ts';
import {
  FEED_FILES,
  FEED_FORMATS,
  FEED_TYPES,
  type FeedFormat,
  feedPath,
} from '../../../shared/routing/feed-files.ts';
import { type FeedRoute, feedPagePath, hasFeed } from '../../../shared/routing/feeds.ts';
import { matchRoute } from '../../../shared/routing/match-route.ts';
import type { RouteParams } from '../../../shared/routing/route.ts';
import type { RouteDefinition } from '../../../shared/routing/routes.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { siteRoutes } from '../../../site/routes.ts';
import type { ContentReader } from '../../content/reading/content-reader.ts';
import type { FeedArticle } from '../../content/reading/read-values.ts';
import { beginOf } from '../../decode/site-time.ts';
import { titleWith } from '../../loading/head.ts';
import { siteNameOf } from '../../loading/shell.ts';
import { wholeText } from '../../rich-text/nodes/read-rich-text.ts';
import { isShareable } from '../../wire/is-scaled.ts';
import { type DocumentParts, storedDocument } from '../stored-document.ts';
import { articleHtml } from './article-html.ts';
import {
  type FeedAttachment,
  type FeedDocument,
  type FeedItem,
  writeAtom,
  writeJsonFeed,
  writeRss,
} from './write-feed.ts';

const WRITERS: Readonly<Record<FeedFormat, (feed: FeedDocument) => string>> = {
  rss: writeRss,
  atom: writeAtom,
  json: writeJsonFeed,
};

interface FeedParts extends DocumentParts {
  readonly routes: readonly RouteDefinition[];
}

interface Channel {
  /** The title without the site's name. */
  readonly title: string;
  readonly description: string | null;
  readonly articles: readonly FeedArticle[];
}

const CHANNELS: {
  readonly [Id in FeedRoute]: (
    reader: ContentReader,
    params: RouteParams,
    labels: Labels,
  ) => Promise<Channel | null>;
} = {
  async [siteRoutes.blog](reader) {
    const [{ title, description }, articles] = await Promise.all([
      reader.blogPage('used'),
      reader.articlesOfFeed({ by: 'blog' }),
    ]);
    return { title: title ?? '', description, articles };
  },
  async [siteRoutes.category](reader, { category: slug = '' }) {
    const [category, { storedSlugs }] = await Promise.all([reader.category(slug), reader.categories('used')]);
    if (category === null) return null;
    const { title, name, description } = category;
    const storedSlug = storedSlugs.get(slug) ?? slug;
    const articles = await reader.articlesOfFeed({ by: 'category', storedSlug });
    return { title: title ?? name, description, articles };
  },
  async [siteRoutes.author](reader, { slug = '' }) {
    const author = await reader.authorWithSlug(slug);
    if (author === null) return null;
    const articles = await reader.articlesOfFeed({ by: 'author', id: author.id });
    return { title: author.name, description: author.description, articles };
  },
  async [siteRoutes.tag](reader, { slug = '' }, labels) {
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

export const FEED_PATHS = FEED_FORMATS.map(format => `/*page/${FEED_FILES[format]}`);

/** Serves the newest articles in full: `/blog/feed.xml`, `/blog/atom.xml`, `/blog/feed.json` and so on. */
export function feeds(parts: FeedParts): RequestHandler {
  return (req, res, next) => {
    const asked = feedAt(parts, req.path);
    if (asked === null) return next();
    const feed = storedDocument(parts, {
      route: 'feed',
      contentType: `${FEED_TYPES[asked.format]}; charset=utf-8`,
      showsMedia: true,
      async write(reader, origin) {
        const { labels } = parts.languageOf(await reader.settings());
        const channel = await CHANNELS[asked.route](reader, asked.params, labels);
        if (channel === null) return null;
        return Buffer.from(
          WRITERS[asked.format](await feedDocument(parts, reader, { ...asked, origin, channel })),
        );
      },
      moved: reader => formerFeed(asked, reader),
    });
    return feed(req, res, next);
  };
}

/** @returns the current feed of a renamed author or tag. The redirects of pages cover categories. */
async function formerFeed(
  { route, params: { slug = '' }, format }: AskedFeed,
  reader: ContentReader,
): Promise<string | null> {
  if (route !== siteRoutes.author && route !== siteRoutes.tag) return null;
  const now = route === siteRoutes.author ? await reader.authorBefore(slug) : await reader.tagBefore(slug);
  return now && feedPath(pathTo(route, { slug: now.slug ?? '' }), format);
}

interface AskedFeed {
  readonly format: FeedFormat;
  readonly route: FeedRoute;
  readonly params: RouteParams;
  readonly page: string;
}

/** @returns the feed at a path; null for other paths, even for another spelling of a feed's path. */
function feedAt({ routes }: Pick<FeedParts, 'routes'>, path: string): AskedFeed | null {
  const format = FEED_FORMATS.find(each => path.endsWith(`/${FEED_FILES[each]}`));
  if (format === undefined) return null;
  const page = path.slice(0, -FEED_FILES[format].length - 1);
  const match = matchRoute(routes, page);
  const route = match?.route.id ?? null;
  if (!match || !hasFeed(route)) return null;
  const { params } = match;
  return feedPagePath(route, params) === page ? { format, route, params, page } : null;
}

async function feedDocument(
  { languageOf }: Pick<FeedParts, 'languageOf'>,
  reader: ContentReader,
  { format, page, origin, channel }: AskedFeed & { origin: string; channel: Channel },
): Promise<FeedDocument> {
  const settings = await reader.settings();
  const siteName = siteNameOf(settings, origin);
  const { labels, page: language, typeset } = languageOf(settings);
  const items: FeedItem[] = [];
  for (const article of channel.articles) {
    const author = article.author && (await reader.authorLink(article.author.id));
    items.push(itemOf(typeset(article), author, origin, language.timeZone));
    // Pause between articles, because thirty long texts would block the event loop.
    await nextTick();
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

/** @param link the author's current name and page. The article's copy of the name may be older. */
function itemOf(
  article: FeedArticle,
  link: Pick<Author, 'name' | 'slug'> | null,
  origin: string,
  timeZone: string,
): FeedItem {
  const { title, description, slug, updatedAt, category, author, tags } = article;
  const body = wholeText(article);
  const date = beginOf(article.date, timeZone);
  const authorPage = link?.slug ? origin + pathTo(siteRoutes.author, { slug: link.slug }) : null;
  const address = origin + pathTo(siteRoutes.article, { category: category.slug, slug });
  return {
    address,
    title,
    summary: description,
    html: body.length > 0 ? articleHtml(body, address) : null,
    published: date,
    // Ignore a change from before the publication date, such as an edit of a scheduled article.
    updated: updatedAt !== null && updatedAt > date ? updatedAt : date,
    author: author && { name: link?.name ?? author.name, address: authorPage },
    topics: [category.name, ...tags.map(({ name }) => name)],
    picture: pictureOf(article, address, origin),
  };
}

/** The picture formats that every feed reader shows. */
const SHOWN_TYPES: readonly unknown[] = ['image/jpeg', 'image/png'];

/** @returns the cover if feed readers show its format. Otherwise the picture for shared links. */
function pictureOf({ cover, coverFile }: FeedArticle, page: string, origin: string): FeedAttachment | null {
  const file = cover && URL.parse(cover.src, origin);
  if (!cover || !file) return null;
  const type = coverFile.type || lookup(file.pathname);
  if (SHOWN_TYPES.includes(type)) return { address: file.href, type: String(type), bytes: coverFile.bytes };
  const made = isShareable(cover)
    ? sharePictureOf(cover)
    : `${SHARE_CARDS}${new URL(page).pathname}/${SHARE_CARD_NAME}`;
  return { address: origin + made, type: SHARE_PICTURE.type, bytes: null };
}
