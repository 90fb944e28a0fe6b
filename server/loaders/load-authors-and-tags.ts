import { HttpError } from '../../shared/payload/http-error.ts';
import type { Breadcrumb } from '../../shared/payload/payload.ts';
import { feedPath } from '../../shared/routing/feeds.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { tagNames } from '../content/content-tags.ts';
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
    (await reader.authorLinks()).map(({ slug }) => locationOf('blog-author', { slug })),
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
    head: headOfPage({ title, description: tag.description, card }, page, path, words),
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
  locations: async reader => (await reader.tagLinks()).map(({ slug }) => locationOf('blog-tag', { slug })),
};
