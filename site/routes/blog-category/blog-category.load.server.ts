import type { ContentReader } from '../../../server/content/reading/content-reader.ts';
import { tagNames } from '../../../server/content/tags/content-tags.ts';
import { entryHead } from '../../../server/loading/head.ts';
import { breadcrumbsJsonLd, faqJsonLd } from '../../../server/loading/json-ld.ts';
import { type Loader, locationOf, type RouteContent } from '../../../server/loading/loader.ts';
import { createPageIds } from '../../../server/loading/page-ids.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { feedPath } from '../../../shared/routing/feed-files.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { questionsIn, shownSections } from '../../blocks/completions.server.ts';
import {
  blogCrumb,
  cardsOf,
  headOfPage,
  lastChange,
  requestedPage,
  requireArticles,
} from '../../parts/articles/article-lists.server.ts';

/** Loads a category. A malformed page number, or one past the end, is a 404. */
const loadBlogCategory: Loader<'blog-category'> = async ({ reader, params, query, path, origin, labels }) => {
  const page = requestedPage(query, path);
  const [category, list] = await Promise.all([
    reader.category(params.category),
    reader.articlesOfCategory(params.category, page),
  ]);
  if (!category) throw HttpError.notFound(path);
  requireArticles(list, path);
  const words = await labels();
  const breadcrumbs = [blogCrumb(words), { title: category.name, href: null }];
  const { seo, sections, ...shown } = category;
  const ids = createPageIds();
  const head = {
    ...entryHead({ seo, title: category.title ?? category.name, description: category.description }),
    card: { title: category.name, label: words.text('blog'), author: null },
  };
  return {
    kind: 'page',
    data: {
      category: {
        ...shown,
        questions: ids.questions(category.questions),
      },
      ...(page === 1 && shownSections(sections, ids, category.id)),
      list: cardsOf(list),
      breadcrumbs,
      feed: origin && feedPath(path),
    },
    head: headOfPage(head, page, path, words),
    jsonLd: [
      ...breadcrumbsJsonLd(breadcrumbs, path, origin),
      ...(page === 1 ? faqJsonLd([...category.questions, ...questionsIn(sections)]) : []),
    ],
    about: tagNames.entry('categories', category.id),
  };
};

const content: RouteContent<'blog-category'> = {
  load: loadBlogCategory,
  moved: (reader, { category }) => movedCategory(reader, category),
  zone: (reader, { category }) => reader.category(category),
  async locations(reader) {
    const [listed, lists] = await Promise.all([reader.listedCategories(), reader.firstOfCategories()]);
    const firsts = new Map(lists.map(({ category, first }) => [category.slug, first]));
    return listed.map(({ slug }) =>
      locationOf('blog-category', { category: slug }, { lastModified: lastChange(firsts.get(slug) ?? []) }),
    );
  },
};

export default content;

export async function movedCategory(reader: ContentReader, slug: string): Promise<string | null> {
  const { bySlug } = await reader.categories();
  // Skip a slug in use: the 404 is then for a page past the list's end, not a former address.
  const present = bySlug.has(slug) ? null : await reader.presentSlug(contentTypes.category, slug);
  return present !== null && bySlug.has(present) ? pathTo('blog-category', { category: present }) : null;
}
