import type { ContentReader } from '../../../server/content/reading/content-reader.ts';
import type { LinkedArticle } from '../../../server/content/reading/read-values.ts';
import { tagNames } from '../../../server/content/tags/content-tags.ts';
import { isHiddenBy } from '../../../server/decode/decode-seo.ts';
import { beginOf } from '../../../server/decode/site-time.ts';
import { entryHead } from '../../../server/loading/head.ts';
import {
  articleJsonLd,
  asPublisher,
  breadcrumbsJsonLd,
  faqJsonLd,
  readOrganization,
} from '../../../server/loading/json-ld.ts';
import {
  type Loader,
  type LoaderHead,
  locationOf,
  type RouteContent,
} from '../../../server/loading/loader.ts';
import { createPageIds } from '../../../server/loading/page-ids.ts';
import { withPosters } from '../../../server/rich-text/nodes/film-posters.ts';
import type { Article, ArticleSummary, TagRef } from '../../../shared/content/blog.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { FEED_FILES, FEED_FORMATS, feedPath } from '../../../shared/routing/feed-files.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { questionsIn, shownSections } from '../../blocks/completions.server.ts';
import { blogCrumb, cardOf } from '../../parts/articles/article-lists.server.ts';
import { movedCategory } from '../blog-category/blog-category.load.server.ts';

const RELATED_ARTICLES = 3;
/** Limit for the tags whose lists are compared, because each list may cost a call. */
const MAX_COMPARED_TAGS = 5;

/** Loads an article. An address with another category redirects; an unknown category is a 404. */
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
  const {
    seo,
    sections,
    questions: own,
    ...article
  } = ids.entry({
    ...{ ...found, author, tags },
    body: withPosters(found.body, found.cover),
  });
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
  const ofCategory = await reader.forArticlesOf(category.slug);
  const questions = own.length > 0 ? own : ids.questions(ofCategory?.questions ?? []);
  const head: LoaderHead = {
    ...entryHead({ ...article, seo }),
    card: { title: article.title, label: category.name, author: author?.name ?? null },
    ogType: 'article',
    publishedTime: date,
    modifiedTime: article.updatedAt,
  };
  const { src: picture } = await pictureOf(head);
  const publisher = asPublisher(await readOrganization(reader, origin));
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
      cta: ofCategory?.cta ?? null,
      ...shownSections(sections, ids, article.id),
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
      // Mark up the article's own questions only, because those of the category are on many pages.
      ...faqJsonLd([...own, ...questionsIn(sections)]),
    ],
    about: tagNames.entry('articles', article.id),
  };
};

const content: RouteContent<'blog-article'> = {
  load: loadBlogArticle,
  async moved(reader, params) {
    const feed = FEED_FORMATS.find(format => FEED_FILES[format] === params.slug);
    if (feed !== undefined) {
      // Find the feed of a category whose slug has changed: feed readers request old addresses for years.
      const category = await movedCategory(reader, params.category);
      return category ? feedPath(category, feed) : null;
    }
    const present = await reader.presentSlug(contentTypes.article, params.slug);
    // Prefer an article that has the slug now. The loader's 404 has already cached the answer.
    if (present === null || (await reader.article(params.category, params.slug)) !== null) return null;
    const article = await reader.article(params.category, present);
    const category = article?.category && (await reader.categories()).bySlug.get(article.category.slug);
    return article && category
      ? pathTo('blog-article', { category: category.slug, slug: article.slug })
      : null;
  },
  zone: (reader, { category, slug }) => reader.article(category, slug),
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

export default content;

/** @returns the author's record, newer than the article's copy. An author without a record has no page. */
async function authorOf({ author }: Article, reader: ContentReader): Promise<Article['author']> {
  return author && ((await reader.author(author.id)) ?? { ...author, slug: null });
}

/** @returns articles that share most tags, the newest of equals first, then the category's newest. */
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

function linkTo({ title, slug, category }: LinkedArticle): { title: string; href: string } {
  return { title, href: pathTo('blog-article', { category: category.slug, slug }) };
}

async function tagsOf({ tags }: Article, reader: ContentReader): Promise<readonly TagRef[]> {
  const links = await Promise.all(tags.map(({ id }) => reader.tagLink(id)));
  return links.flatMap(link => (link ? [{ name: link.name, slug: link.slug }] : []));
}
