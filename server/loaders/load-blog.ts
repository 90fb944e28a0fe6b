import type { Article, ArticleSummary, ShownArticle, TagRef } from '../../shared/content/blog.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { BlogIndexData } from '../../shared/payload/payload.ts';
import { FEED_FILES, FEED_FORMATS, feedPath } from '../../shared/routing/feeds.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { tagNames } from '../content/content-tags.ts';
import { isHiddenBy } from '../content/decode/decode-seo.ts';
import type { LinkedArticle } from '../content/lists/articles-around.ts';
import { beginOf } from '../content/lists/site-time.ts';
import { blogCrumb, cardOf, cardsOf, headOfPage, requestedPage, requireArticles } from './article-lists.ts';
import { entryHead } from './head.ts';
import { articleJsonLd, breadcrumbsJsonLd, faqJsonLd } from './json-ld.ts';
import { type Loader, type LoaderHead, locationOf, type RouteContent } from './loader.ts';
import { asPublisher, readOrganization } from './organization-json-ld.ts';
import { createPageIds } from './page-ids.ts';

/** The number of articles of each category on the index, and of related articles below an article. */
const ARTICLES_PER_SECTION = 3;
const RELATED_ARTICLES = 3;
/** Most tags of an article whose articles may be related: the list of each may cost a call. */
const MAX_COMPARED_TAGS = 5;

/** Loads the blog index: the newest article, then the newest of each category. */
const loadBlogIndex: Loader<'blog'> = async ({ reader, path, origin, labels }) => {
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
    feed: origin && feedPath(path),
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
  const page = requestedPage(query, path);
  const [category, list] = await Promise.all([
    reader.category(params.category),
    reader.articlesOfCategory(params.category, page),
  ]);
  if (!category) throw HttpError.notFound(path);
  requireArticles(list, path);
  const words = await labels();
  const breadcrumbs = [blogCrumb(words), { title: category.name, href: null }];
  const { seo, ...shown } = category;
  const head = {
    ...entryHead({ seo, title: category.title ?? category.name, description: category.description }),
    card: { title: category.name, label: words.text('blog'), author: null },
  };
  return {
    kind: 'page',
    data: {
      category: { ...shown, questions: createPageIds().questions(category.questions) },
      list: cardsOf(list),
      breadcrumbs,
      feed: origin && feedPath(path),
    },
    head: headOfPage(head, page, path, words),
    jsonLd: [
      ...breadcrumbsJsonLd(breadcrumbs, path, origin),
      ...(page === 1 ? faqJsonLd(category.questions) : []),
    ],
    about: tagNames.entry('categories', category.id),
  };
};

/** Loads an article. An address with another category redirects to the article's own address. An article without a known category is a 404. */
const loadBlogArticle: Loader<'blog-article'> = async ({
  reader,
  params,
  path,
  origin,
  search,
  labels,
  pictureOf,
}) => {
  reader.expectAuthors();
  void reader.expectArticlesAround(search.articleOf(params.slug));
  const [found, categories] = await Promise.all([
    reader.article(params.category, params.slug),
    reader.categories(),
    reader.expectCategory(params.category),
  ]);
  const category = found?.category && categories.bySlug.get(found.category.slug);
  if (!category) throw HttpError.notFound(path);
  const ids = createPageIds();
  const [author, tags] = await Promise.all([authorOf(found, reader), tagsOf(found, reader)]);
  const { seo, questions: own, ...article } = ids.entry({ ...found, author, tags });
  if (category.slug !== params.category) {
    const to = pathTo('blog-article', { category: category.slug, slug: article.slug });
    return { kind: 'redirect', to, statusCode: 308 };
  }
  const ref = { id: category.id, name: category.name, slug: category.slug };
  const words = await labels();
  const date = beginOf(article.date, words.language.timeZone);
  const breadcrumbs = [
    blogCrumb(words),
    { title: category.name, href: pathTo('blog-category', { category: category.slug }) },
    { title: article.title, href: null },
  ];
  const questions = own.length > 0 ? own : ids.questions(await reader.questionsOfCategory(category.slug));
  const head: LoaderHead = {
    ...entryHead({ ...article, seo }),
    card: { title: article.title, label: category.name, author: author?.name ?? null },
    ogType: 'article',
    publishedTime: date,
    modifiedTime: article.updatedAt,
  };
  const { src: picture } = await pictureOf(head);
  const publisher = asPublisher(await readOrganization(reader, origin));
  // Articles beside this one are parts without which it is complete.
  const [related, around] = await Promise.all([
    relatedTo(found, category.slug, reader),
    reader.articlesAround({ ...article, category: ref }),
  ]);
  return {
    kind: 'page',
    data: {
      article: { ...article, category: ref },
      related: related.map(cardOf),
      newer: around.newer && linkTo(around.newer),
      older: around.older && linkTo(around.older),
      questions,
      breadcrumbs,
    },
    head,
    jsonLd: [
      articleJsonLd(
        { ...article, date, description: head.description ?? null },
        picture,
        publisher,
        path,
        origin,
      ),
      ...breadcrumbsJsonLd(breadcrumbs, path, origin),
      // The questions of the category are on many pages. Search engines want them marked up on one of them alone.
      ...faqJsonLd(own),
    ],
    about: tagNames.entry('articles', article.id),
  };
};

export const blogIndex: RouteContent<'blog'> = {
  load: loadBlogIndex,
  async locations(reader) {
    const [{ seo }, lists] = await Promise.all([reader.blogPage('used'), reader.firstOfCategories()]);
    const lastModified = lastChange(lists.flatMap(({ first }) => first));
    return isHiddenBy(seo.robots) ? [] : [locationOf('blog', {}, { lastModified })];
  },
};

/** @returns when the newest change of some articles was made; null without any. Lists change with the articles that they show. */
function lastChange(articles: readonly ArticleSummary[]): string | null {
  const changes = articles.map(({ date, updatedAt }) =>
    updatedAt !== null && updatedAt > date ? updatedAt : date,
  );
  return changes.sort().at(-1) ?? null;
}

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
  async locations(reader) {
    const [listed, lists] = await Promise.all([reader.listedCategories(), reader.firstOfCategories()]);
    const firsts = new Map(lists.map(({ category, first }) => [category.slug, first]));
    return listed.map(({ slug }) =>
      locationOf('blog-category', { category: slug }, { lastModified: lastChange(firsts.get(slug) ?? []) }),
    );
  },
};

export const blogArticle: RouteContent<'blog-article'> = {
  load: loadBlogArticle,
  async moved(reader, params) {
    const feed = FEED_FORMATS.find(format => FEED_FILES[format] === params.slug);
    if (feed !== undefined) {
      // The feed of a category that has another slug now. Readers ask for years.
      const category = await blogCategory.moved?.(reader, params);
      return category ? feedPath(category, feed) : null;
    }
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

/**
 * @returns the author of an article by the author's own record, which is newer and more complete than the copy inside the article. Without a
 *   record the author has no page.
 */
async function authorOf({ author }: Article, reader: ContentReader): Promise<Article['author']> {
  return author && ((await reader.author(author.id)) ?? { ...author, slug: null });
}

/** @returns the articles that share most tags with an article, the newest of equals first; then the newest of its category. */
async function relatedTo(
  { id, tags }: Article,
  category: string,
  reader: ContentReader,
): Promise<readonly ArticleSummary[]> {
  const shared = (
    await Promise.all(tags.slice(0, MAX_COMPARED_TAGS).map(tag => reader.firstOfTag(tag.id)))
  ).flat();
  const byId = Map.groupBy(
    shared.filter(other => other.id !== id),
    other => other.id,
  );
  const ranked = [...byId.values()]
    .sort(
      ([a, ...moreOfA], [b, ...moreOfB]) =>
        moreOfB.length - moreOfA.length || ((a?.date ?? '') < (b?.date ?? '') ? 1 : -1),
    )
    .flatMap(([article]) => article ?? []);
  if (ranked.length >= RELATED_ARTICLES) return ranked.slice(0, RELATED_ARTICLES);
  const siblings = await reader.firstOfCategory(category, 'optional');
  const others = siblings.filter(other => other.id !== id && !byId.has(other.id));
  return [...ranked, ...others].slice(0, RELATED_ARTICLES);
}

/** @returns a link to an article. */
function linkTo({ title, slug, category }: LinkedArticle): { title: string; href: string } {
  return { title, href: pathTo('blog-article', { category: category.slug, slug }) };
}

/** @returns the tags of an article that have pages, in the order of the article. */
async function tagsOf({ tags }: Article, reader: ContentReader): Promise<readonly TagRef[]> {
  const links = await Promise.all(tags.map(({ id }) => reader.tagLink(id)));
  return links.flatMap(link => (link ? [{ name: link.name, slug: link.slug }] : []));
}

/** @returns the card of the newest article. Name and address of the author come from the author's own record: the one inside the article is a copy. */
async function leadCard(article: ArticleSummary, reader: ContentReader): Promise<ShownArticle> {
  const { author } = article;
  const link = author && ((await reader.authorLink(author.id)) ?? { name: author.name, slug: null });
  return { ...cardOf(article), author: link && { name: link.name, slug: link.slug } };
}
