import { tagNames } from '../../../server/content/tags/content-tags.ts';
import { breadcrumbsJsonLd, personJsonLd } from '../../../server/loading/json-ld.ts';
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
        // Use a card instead of the portrait, whose middle would be half a face.
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

const content: RouteContent<'blog-author'> = {
  load: loadAuthor,
  async moved(reader, { slug }) {
    // Skip a current author: the missing address is a list page past the end, and no former address.
    const author = (await reader.authorWithSlug(slug)) === null ? await reader.authorBefore(slug) : null;
    return author && pathTo('blog-author', { slug: author.slug });
  },
  locations: async reader =>
    (await withArticles('author', await reader.authorLinks(), reader)).map(({ slug }) =>
      locationOf('blog-author', { slug }),
    ),
};

export default content;
