import type { ArticleSummary, ShownArticle } from '../../shared/content/blog.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { BlogIndexData } from '../../shared/payload/payload.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { tagNames } from '../content/content-tags.ts';
import { isHiddenBy } from '../content/decode/decode-seo.ts';
import { entryHead } from './head.ts';
import { articleJsonLd, breadcrumbsJsonLd, faqJsonLd } from './json-ld.ts';
import { type Loader, locationOf, type RouteContent } from './loader.ts';
import { createPageIds } from './page-ids.ts';

/** The number of articles of each category on the index, and of related articles below an article. */
const ARTICLES_PER_SECTION = 3;
const RELATED_ARTICLES = 3;

const blogCrumb = (labels: Labels) => ({ title: labels.text('blog'), href: pathTo('blog', {}) });

/** Loads the blog index: the newest article, then the newest of each category. */
const loadBlogIndex: Loader<'blog'> = async ({ reader, labels }) => {
  reader.expectAuthors();
  const [config, lead, lists] = await Promise.all([
    reader.blogPage(),
    reader.newestArticle(),
    reader.firstOfCategories(),
  ]);
  const data: BlogIndexData = {
    h1: config.h1 ?? config.title ?? (await labels()).text('blog'),
    description: config.description,
    lead: lead && (await leadCard(lead, reader)),
    sections: lists
      .map(({ category, first }) => ({
        category: { id: category.id, name: category.name, slug: category.slug },
        articles: first
          .filter(article => article.id !== lead?.id)
          .slice(0, ARTICLES_PER_SECTION)
          .map(cardOf),
      }))
      .filter(section => section.articles.length > 0),
    questions: createPageIds().questions(config.questions),
  };
  return {
    kind: 'page',
    data,
    head: entryHead({ ...config, title: config.title ?? data.h1 }),
    jsonLd: faqJsonLd(config.questions),
  };
};

/** Loads a page of a category. A malformed page number is a 404, and so is one past the last page. */
const loadBlogCategory: Loader<'blog-category'> = async ({ reader, params, query, path, origin, labels }) => {
  const page = pageNumber(query.get('page'));
  if (page === null) throw HttpError.notFound(`${path}?page=${query.get('page')}`);
  const [category, list] = await Promise.all([
    reader.category(params.category),
    reader.articlesOfCategory(params.category, page),
  ]);
  if (!category) throw HttpError.notFound(path);
  if (page > 1 && page > list.pageCount) throw HttpError.notFound(`${path}?page=${page}`);
  const words = await labels();
  const breadcrumbs = [blogCrumb(words), { title: category.name, href: null }];
  const { seo, ...shown } = category;
  const head = entryHead({ seo, title: category.title ?? category.name, description: category.description });
  return {
    kind: 'page',
    data: {
      category: { ...shown, questions: createPageIds().questions(category.questions) },
      list: { ...list, items: list.items.map(cardOf) },
      breadcrumbs,
    },
    head:
      page > 1
        ? {
            ...head,
            title: words.text('titleOfPage', { title: head.title ?? category.name, page }),
            canonical: `${path}?page=${page}`,
          }
        : head,
    jsonLd: [
      ...breadcrumbsJsonLd(breadcrumbs, path, origin),
      ...(page === 1 ? faqJsonLd(category.questions) : []),
    ],
    about: tagNames.entry('categories', category.id),
  };
};

/** Loads an article. An address with another category redirects to the article's own address. An article without a known category is a 404. */
const loadBlogArticle: Loader<'blog-article'> = async ({ reader, params, path, origin, labels }) => {
  reader.expectAuthors();
  const [found, categories, siblings] = await Promise.all([
    reader.article(params.category, params.slug),
    reader.categories(),
    // Related articles are a part without which the article is complete.
    reader.firstOfCategory(params.category, 'optional'),
  ]);
  const category = found?.category && categories.bySlug.get(found.category.slug);
  if (!category) throw HttpError.notFound(path);
  const ids = createPageIds();
  // The author's own record is newer and more complete than the copy inside the article.
  const author = found.author && ((await reader.author(found.author.id)) ?? found.author);
  const { seo, ...article } = ids.entry({ ...found, author });
  if (category.slug !== params.category) {
    const to = pathTo('blog-article', { category: category.slug, slug: article.slug });
    return { kind: 'redirect', to, statusCode: 308 };
  }
  const ref = { id: category.id, name: category.name, slug: category.slug };
  const breadcrumbs = [
    blogCrumb(await labels()),
    { title: category.name, href: pathTo('blog-category', { category: category.slug }) },
    { title: article.title, href: null },
  ];
  const questions =
    article.questions.length > 0
      ? article.questions
      : ids.questions(await reader.questionsOfCategory(category.slug));
  const head = entryHead({ ...article, seo });
  return {
    kind: 'page',
    data: {
      article: { ...article, category: ref },
      related: siblings
        .filter(other => other.id !== article.id)
        .slice(0, RELATED_ARTICLES)
        .map(cardOf),
      questions,
      breadcrumbs,
    },
    head: {
      ...head,
      ogType: 'article',
      publishedTime: article.date,
      modifiedTime: article.updatedAt,
    },
    jsonLd: [
      articleJsonLd({ ...article, description: head.description ?? null }, path, origin),
      ...breadcrumbsJsonLd(breadcrumbs, path, origin),
      ...faqJsonLd(questions),
    ],
    about: tagNames.entry('articles', article.id),
  };
};

export const blogIndex: RouteContent<'blog'> = {
  load: loadBlogIndex,
  locations: async () => [locationOf('blog', {})],
};

export const blogCategory: RouteContent<'blog-category'> = {
  load: loadBlogCategory,
  async moved(reader, params) {
    const { bySlug } = await reader.categories();
    // A category without the page of the query is no former address.
    const present = bySlug.has(params.category)
      ? null
      : await reader.presentSlug(contentTypes.category, params.category);
    return present !== null && bySlug.has(present) ? pathTo('blog-category', { category: present }) : null;
  },
  locations: async reader =>
    (await reader.listedCategories()).map(({ slug }) => locationOf('blog-category', { category: slug })),
};

export const blogArticle: RouteContent<'blog-article'> = {
  load: loadBlogArticle,
  async moved(reader, params) {
    const present = await reader.presentSlug(contentTypes.article, params.slug);
    // An article that has the slug now comes first. Where the page is a 404 this costs no call.
    if (present === null || (await reader.article(params.category, params.slug)) !== null) return null;
    const article = await reader.article(params.category, present);
    const category = article?.category && (await reader.categories()).bySlug.get(article.category.slug);
    return article && category
      ? pathTo('blog-article', { category: category.slug, slug: article.slug })
      : null;
  },
  locations: {
    count: reader => reader.articleCount(),
    async *read(reader, range) {
      for await (const addresses of reader.articleAddresses(range))
        yield addresses
          .filter(({ seo }) => !isHiddenBy(seo?.metaRobots))
          .map(({ category, slug, updatedAt, cover }) =>
            locationOf(
              'blog-article',
              { category: category.slug, slug },
              { lastModified: updatedAt, picture: cover },
            ),
          );
    },
  },
};

/** @returns an article with the fields of its card alone: others would change the page without being shown. Only the first card names the author. */
function cardOf({ id, title, description, slug, date, cover, category }: ArticleSummary): ShownArticle {
  return { id, title, description, slug, date, cover, category, author: null };
}

/** @returns the card of the newest article. The name of the author comes from the author's own record: the one inside the article is a copy. */
async function leadCard(article: ArticleSummary, reader: ContentReader): Promise<ShownArticle> {
  const { author } = article;
  const name = author && ((await reader.authorName(author.id)) ?? author.name);
  return { ...cardOf(article), author: name === null ? null : { name } };
}

/** @returns the page number; 1 without a value, null for a malformed one. `01` and `1.0` are malformed, so that no page has two addresses. */
function pageNumber(value: string | null): number | null {
  if (value === null) return 1;
  return /^[1-9]\d{0,4}$/.test(value) ? Number(value) : null;
}
