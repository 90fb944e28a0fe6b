import type { ContentReader } from '../../../server/content/reading/content-reader.ts';
import { isHiddenBy } from '../../../server/decode/decode-seo.ts';
import { entryHead } from '../../../server/loading/head.ts';
import { faqJsonLd } from '../../../server/loading/json-ld.ts';
import { type Loader, locationOf, type RouteContent } from '../../../server/loading/loader.ts';
import { createPageIds } from '../../../server/loading/page-ids.ts';
import type { ArticleSummary, ShownArticle } from '../../../shared/content/blog.ts';
import { feedPath } from '../../../shared/routing/feed-files.ts';
import { cardOf, lastChange } from '../../parts/articles/article-lists.server.ts';
import type { BlogIndexData } from './blog.route.ts';

const ARTICLES_PER_SECTION = 3;

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

const content: RouteContent<'blog'> = {
  load: loadBlogIndex,
  async locations(reader) {
    const [{ seo }, lists] = await Promise.all([reader.blogPage('used'), reader.firstOfCategories()]);
    const lastModified = lastChange(lists.flatMap(({ first }) => first));
    return isHiddenBy(seo.robots) ? [] : [locationOf('blog', {}, { lastModified })];
  },
};

export default content;

/** Takes the author's name and address from the author's record, because the article's copy may be old. */
async function leadCard(article: ArticleSummary, reader: ContentReader): Promise<ShownArticle> {
  const { author } = article;
  const link = author && ((await reader.authorLink(author.id)) ?? { name: author.name, slug: null });
  return { ...cardOf(article), author: link && { name: link.name, slug: link.slug } };
}
