import { HttpError } from '../../shared/payload/http-error.ts';
import type { Breadcrumb } from '../../shared/payload/payload.ts';
import { feedPath } from '../../shared/routing/feeds.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { tagNames } from '../content/content-tags.ts';
import type { EntrySelection } from '../content/lists/article-selection.ts';
import { blogCrumb, cardsOf, headOfPage, requestedPage, requireArticles } from './article-lists.ts';
import { breadcrumbsJsonLd, personJsonLd } from './json-ld.ts';
import { type Loader, locationOf, type RouteContent } from './loader.ts';

/** Loads the page of an author: who it is, and a page of the author's articles. */
const loadAuthor: Loader<'blog-author'> = async ({ reader, params, query, path, origin, labels }) => {
  const page = requestedPage(query, path);
  const author = await reader.authorWithSlug(params.slug);
  if (!author) throw HttpError.notFound(path);
  const list = await reader.articlesOf({ by: 'author', id: author.id }, page);
  requireArticles(list, path);
  const words = await labels();
  const breadcrumbs: readonly Breadcrumb[] = [blogCrumb(words), { title: author.name, href: null }];
  return {
    kind: 'page',
    data: { author, list: cardsOf(list), breadcrumbs, feed: origin && feedPath(path) },
    head: headOfPage(
      {
        title: author.name,
        description: author.description,
        noindex: list.total === 0,
        // A portrait is no picture for a link: its middle is half a face.
        card: { title: author.name, label: words.text('blog'), author: author.position },
      },
      page,
      path,
      words,
    ),
    jsonLd: [personJsonLd(author, path, origin), ...breadcrumbsJsonLd(breadcrumbs, path, origin)],
    about: tagNames.entry('authors', author.id),
  };
};

export const blogAuthor: RouteContent<'blog-author'> = {
  load: loadAuthor,
  async moved(reader, { slug }) {
    // An author without the page of the query is no former address.
    const author = (await reader.authorWithSlug(slug)) === null ? await reader.authorBefore(slug) : null;
    return author && pathTo('blog-author', { slug: author.slug });
  },
  locations: async reader =>
    (await withArticles('author', await reader.authorLinks(), reader)).map(({ slug }) =>
      locationOf('blog-author', { slug }),
    ),
};

/** Loads a page of the articles with a tag. */
const loadTag: Loader<'blog-tag'> = async ({ reader, params, query, path, origin, labels }) => {
  const page = requestedPage(query, path);
  const tag = await reader.tagWithSlug(params.slug);
  if (!tag) throw HttpError.notFound(path);
  const list = await reader.articlesOf({ by: 'tag', id: tag.id }, page);
  requireArticles(list, path);
  const words = await labels();
  const breadcrumbs: readonly Breadcrumb[] = [blogCrumb(words), { title: tag.name, href: null }];
  const title = words.text('articlesTagged', { tag: tag.name });
  const card = { title: tag.name, label: words.text('blog'), author: null };
  return {
    kind: 'page',
    data: { tag, list: cardsOf(list), breadcrumbs, feed: origin && feedPath(path) },
    head: headOfPage(
      { title, description: tag.description, card, noindex: list.total === 0 },
      page,
      path,
      words,
    ),
    jsonLd: breadcrumbsJsonLd(breadcrumbs, path, origin),
    about: tagNames.entry('tags', tag.id),
  };
};

export const blogTag: RouteContent<'blog-tag'> = {
  load: loadTag,
  async moved(reader, { slug }) {
    const tag = (await reader.tagWithSlug(slug)) === null ? await reader.tagBefore(slug) : null;
    return tag && pathTo('blog-tag', { slug: tag.slug });
  },
  locations: async reader =>
    (await withArticles('tag', await reader.tagLinks(), reader)).map(({ slug }) =>
      locationOf('blog-tag', { slug }),
    ),
};

/** Most authors or tags whose lists are looked at for a sitemap. Of more, all are in it: their pages without an article are `noindex`. */
const MAX_EXAMINED = 200;
/** Lists that are read at a time. */
const AT_A_TIME = 10;

/** @returns the authors or tags that have an article. */
async function withArticles<T extends { readonly id: string }>(
  by: EntrySelection['by'],
  entries: readonly T[],
  reader: ContentReader,
): Promise<readonly T[]> {
  if (entries.length > MAX_EXAMINED) return entries;
  const found: T[] = [];
  for (let at = 0; at < entries.length; at += AT_A_TIME) {
    const some = entries.slice(at, at + AT_A_TIME);
    const have = await Promise.all(some.map(({ id }) => reader.hasArticles({ by, id })));
    found.push(...some.filter((_, index) => have[index]));
  }
  return found;
}
