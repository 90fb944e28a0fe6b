import { tagNames } from '../../../server/content/tags/content-tags.ts';
import { breadcrumbsJsonLd } from '../../../server/loading/json-ld.ts';
import { type Loader, locationOf, type RouteContent } from '../../../server/loading/loader.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { feedPath } from '../../../shared/routing/feed-files.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import {
  blogCrumb,
  cardsOf,
  headOfPage,
  requestedPage,
  requireArticles,
  withArticles,
} from '../../parts/articles/article-lists.server.ts';

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

const content: RouteContent<'blog-tag'> = {
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

export default content;
