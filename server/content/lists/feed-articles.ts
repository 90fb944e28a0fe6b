import type { ListPage } from '../../../shared/content/blog.ts';
import { contentTypes, type EntityOf } from '../../../shared/content/content-types.ts';
import { ok } from '../../../shared/result.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { joined, pageOf, paginationOf } from '../content-calls.ts';
import { type ContentRequest, contentRequest } from '../content-request.ts';
import { anyProvenance } from '../content-tags.ts';
import { requireCategory } from '../decode/decode-blog.ts';
import { entityDecoder } from '../decode/decode-entity.ts';
import type { DecodeRow } from '../decode/decode-fields.ts';
import { isHiddenBy } from '../decode/decode-seo.ts';
import { entryOf, textOf, unwrap } from '../decode/wire.ts';
import type { ArticleOrder } from './article-order.ts';
import { type EntrySelection, optionalFieldOf, selectionFilter } from './article-selection.ts';
import type { Publication } from './publication.ts';
import { readArticles } from './read-articles.ts';

const { title, description, slug, body, sections, date, updatedAt, cover, category, author, tags, seo } =
  contentTypes.article.fields;
/** An article with its text, and nothing else that a feed does not have. */
const feedArticle = {
  ...contentTypes.article,
  fields: {
    ...{ title, description, slug, date, updatedAt, cover, category },
    body: { ...body, inLists: true },
    sections: { ...sections, inLists: true },
    author: { ...author, reads: ['name'] },
    tags: { ...tags, inLists: true, reads: ['name'] },
    seo: { ...seo, inLists: true, reads: ['metaRobots'] },
  },
} as const;

/** A media file beside an item of a feed. */
export interface FeedFile {
  /** The media type, such as `image/png`. */
  readonly type: string | null;
  /** To the nearest ten bytes, as the backend has it; null if it does not say. */
  readonly bytes: number | null;
}

type Fields = Pick<
  EntityOf<'article'>,
  'id' | 'title' | 'description' | 'slug' | 'body' | 'date' | 'updatedAt' | 'cover'
>;
/** An article as feeds have it. */
export interface FeedArticle extends Fields {
  readonly category: { readonly id: string; readonly name: string; readonly slug: string };
  readonly author: { readonly id: string; readonly name: string } | null;
  readonly tags: readonly { readonly name: string }[];
  readonly seo: { readonly metaRobots: string | null } | null;
  readonly coverFile: FeedFile;
}

const decodeFields = requireCategory(entityDecoder(feedArticle));

const decodeFeedArticle: DecodeRow<FeedArticle> = (row, context) => {
  const decoded = decodeFields(row, context);
  const file = entryOf(unwrap(entryOf(row)?.attributes.cover))?.attributes;
  const bytes = typeof file?.size === 'number' ? Math.round(file.size * 1_000) : null;
  return decoded.ok ? ok({ ...decoded.value, coverFile: { type: textOf(file?.mime), bytes } }) : decoded;
};

/** The articles of a feed: all, those of a category, an author or a tag. A category has its slug as the backend stores it. */
export type FeedSelection =
  | { readonly by: 'blog' }
  | { readonly by: 'category'; readonly storedSlug: string }
  | EntrySelection;

/** @returns the part of a query that chooses the articles of a category. @param storedSlug its slug as the backend stores it. */
export function categoryFilter(storedSlug: string): string {
  return `filters[category][slug][$eq]=${encodeURIComponent(storedSlug)}`;
}

function filterOf(selection: FeedSelection): string {
  if (selection.by === 'blog') return '';
  return selection.by === 'category' ? categoryFilter(selection.storedSlug) : selectionFilter(selection);
}

/** Items of a feed. Readers ask often enough to miss none. */
export const FEED_ITEMS = 30;
/** Rows that are read for them: some of the newest articles may have no address, or may be hidden from search engines. */
const FEED_ROWS = 36;

/** @returns the request for the newest articles of a selection with their texts, in one call. Those that are hidden from search engines are left out. */
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
    filtered: selection.by === 'tag' ? optionalFieldOf(selection) : null,
  };
  return contentRequest<ListPage<FeedArticle>, ListPage<FeedArticle>>({
    key: joined(`articles?feed=${order.by}`, filter),
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
    index: list => list,
    // A feed has whole articles with the names of all that they belong to, so every event about one of these may change it.
    provenance: () => anyProvenance('articles', 'authors', 'categories', 'tags'),
  });
}
