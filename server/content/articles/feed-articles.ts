import type { ListPage } from '../../../shared/content/blog.ts';
import { siteTypes } from '../../../site/types.ts';
import { requireCategory } from '../../decode/decode-blog.ts';
import { entityDecoder } from '../../decode/decode-entity.ts';
import { type DecodeRow, mappedRow } from '../../decode/decode-fields.ts';
import { isHiddenBy } from '../../decode/decode-seo.ts';
import { joined, pageOf, paginationOf } from '../../wire/content-calls.ts';
import { entryOf, textOf, unwrap } from '../../wire/wire.ts';
import type { ArticleOrder, FeedArticle, FeedSelection } from '../reading/read-values.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import { type ContentRequest, contentRequest } from '../requests/content-request.ts';
import { anyProvenance } from '../tags/provenance.ts';
import { categoryFilter, optionalFieldOf, readArticles, selectionFilter } from './article-selection.ts';
import type { Publication } from './publication.ts';

const SHOWN = [siteTypes.article, siteTypes.author, siteTypes.category, siteTypes.tag].map(
  ({ path }) => path,
);
const { title, description, slug, body, sections, date, updatedAt, cover } = siteTypes.article.fields;
const { category, author, tags, seo, publishAt, unpublishAt } = siteTypes.article.fields;
const feedArticle = {
  ...siteTypes.article,
  fields: {
    ...{ title, description, slug, date, updatedAt, cover, category, publishAt, unpublishAt },
    body: { ...body, inLists: true },
    sections: { ...sections, inLists: true },
    author: { ...author, reads: ['name'] },
    tags: { ...tags, inLists: true, reads: ['name'] },
    seo: { ...seo, inLists: true, reads: ['metaRobots'] },
  },
} as const;

const decodeFeedArticle: DecodeRow<FeedArticle> = mappedRow(
  requireCategory(entityDecoder(feedArticle)),
  (article, _context, row) => {
    const file = entryOf(unwrap(entryOf(row)?.attributes.cover))?.attributes;
    const bytes = typeof file?.size === 'number' ? Math.round(file.size * 1_000) : null;
    return { ...article, coverFile: { type: textOf(file?.mime), bytes } };
  },
);

function filterOf(selection: FeedSelection): string {
  if (selection.by === 'blog') return '';
  return selection.by === 'category' ? categoryFilter(selection.storedSlug) : selectionFilter(selection);
}

/** Limit for a feed. Feed readers load it often enough to miss no article. */
const FEED_ITEMS = 30;
/** The rows requested for a feed. Rows without an address or hidden from search engines are left out. */
const FEED_ROWS = 36;

export function feedArticlesRequest(
  reader: AnswerReader,
  publication: Publication,
  selection: FeedSelection,
  order: ArticleOrder,
): ContentRequest<ListPage<FeedArticle>> {
  const { begin, decodeList } = reader;
  const filter = filterOf(selection);
  const asked = {
    type: feedArticle,
    query: () => joined(filter, pageOf(1, FEED_ROWS), publication.filter()),
    order,
    filtered: optionalFieldOf(selection),
  };
  return contentRequest<ListPage<FeedArticle>>({
    key: joined(`${feedArticle.path}?feed=${order.by}`, filter),
    type: feedArticle,
    isPacked: true,
    endsAt: publication.endsAt,
    fetch: ask => readArticles(reader, asked, ask),
    begin,
    async decode(answers, context) {
      const items = await decodeList(feedArticle, 'list', answers, decodeFeedArticle, context);
      const shown = items.filter(({ seo }) => !isHiddenBy(seo?.metaRobots));
      return { page: 1, items: shown.slice(0, FEED_ITEMS), ...paginationOf(answers[0]?.body) };
    },
    // Depend on all articles and names, because a feed shows whole articles.
    provenance: () => anyProvenance(...SHOWN),
  });
}
