import type { Loader, RouteContent } from '../../../server/loading/loader.ts';
import { SEARCHED_TYPES } from '../../../server/search/feeding/searchable-rows.ts';
import type { SearchAnswer, SearchHit } from '../../../server/search/search-types.ts';
import { SEARCH_TAG } from '../../../server/search/search-types.ts';
import { servedType } from '../../../server/wire/described-types.ts';
import { entryType } from '../../../shared/content/entries.ts';
import type { CategoryRef, PageLink } from '../../../shared/content/links.ts';
import type { Labels } from '../../../shared/labels/labels.ts';
import { HttpError } from '../../../shared/payload/http-error.ts';
import type { SearchedKind, SearchPageData, SearchResult } from '../../../shared/payload/search-data.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { cardOf, requestedPage } from '../../parts/articles/article-lists.server.ts';

const HITS_PER_PAGE = 10;
/** Limit for pages of hits, because nobody reads a thousand. */
const MAX_PAGES = 100;
const MAX_QUERY = 200;
const NEWEST = 3;
const NOTHING: SearchAnswer = {
  ...{ total: 0, hits: [], corrected: null, isPartial: false, nearest: [], until: null },
};

const loadSearch: Loader<'search'> = async ({ reader, query, path, labels, search }) => {
  const text = queryText(query.get('q'));
  const page = requestedPage(query, path);
  if (page > MAX_PAGES) throw HttpError.notFound(`${path}?page=${page}`);
  const kind = SEARCHED_TYPES.find(name => name === query.get('type')) ?? null;
  const { list: categories } = await reader.categories('used');
  const chosen = categories.find(({ slug }) => slug === query.get('category')) ?? null;
  const category = chosen?.slug ?? null;
  const isOfBlog = kind === null || kind === 'articles';
  const asked = { text, type: kind, category: isOfBlog ? category : null };
  const answer =
    text === '' ? NOTHING : await search.find({ ...asked, page, size: HITS_PER_PAGE, hasSnippets: true });
  const { total, hits, nearest, until } = answer;
  reader.note(SEARCH_TAG, [total, hits, nearest, search.isReading]);
  reader.endAt({ endsAt: until, withdrawnAt: until });
  const pageCount = Math.min(MAX_PAGES, Math.ceil(total / HITS_PER_PAGE));
  if (page > Math.max(1, pageCount)) throw HttpError.notFound(`${path}?page=${page}`);
  const isEmpty = text !== '' && total === 0;
  const [words, { headerLinks }] = await Promise.all([labels(), reader.settings()]);
  const unknown = [
    ...(kind === null ? [queryText(query.get('type'))] : []),
    ...(chosen === null ? [queryText(query.get('category'))] : []),
  ];
  const ignored = [
    ...unknown.filter(value => value !== '').map(value => words.text('searchUnknownFilter', { value })),
    ...(chosen && !isOfBlog ? [words.text('searchWithoutCategory', { category: chosen.name })] : []),
  ];
  const data: SearchPageData = {
    query: text,
    kind,
    category,
    filters: filtersOf(kind, category, categories, words),
    page,
    pageCount,
    results: hits.map(hit => resultOf(hit, words)),
    status: text === '' ? [] : [...statusOf(text, answer, search.isReading, words), ...ignored],
    nearest,
    newest: isEmpty ? (await reader.newestArticles('optional')).slice(0, NEWEST).map(cardOf) : [],
    ways: total > 0 ? [] : waysOf(categories, headerLinks, words),
    words: {
      title: words.text('searchTitle'),
      hint: words.text('searchHint'),
      nearest: words.text('searchNearest'),
      wider: kind === null && category === null ? null : words.text('searchWider'),
      pages: words.text('searchPages'),
      previous: words.text('previousPage'),
      next: words.text('nextPage'),
      newest: words.text('newestArticles'),
    },
  };
  const title = text === '' ? data.words.title : words.text('searchTitleOf', { query: text });
  return { kind: 'page', data, head: { title, noindex: true }, jsonLd: [] };
};

/** The route's contents, without sitemap addresses, because answers are for the visitor who asks. */
const content: RouteContent<'search'> = { load: loadSearch, locations: async () => [] };

export default content;

export function queryText(value: string | null): string {
  return (value ?? '').replace(/\s+/g, ' ').slice(0, MAX_QUERY).toWellFormed().trim();
}

export function resultOf(
  { type, slug, category, title, snippet, date }: SearchHit,
  words: Labels,
): SearchResult {
  return {
    href: hrefOf(type, slug, category?.slug ?? ''),
    title,
    snippet,
    label: category?.name ?? labelOf(type, words),
    date: date === null ? null : new Date(date).toISOString(),
  };
}

type KindWord = 'kindArticles' | 'kindSolutions' | 'kindCommerce' | 'kindPages';
const KIND_WORDS: Readonly<Partial<Record<SearchedKind, KindWord>>> = {
  articles: 'kindArticles',
  'business-solutions': 'kindSolutions',
  commerces: 'kindCommerce',
  pages: 'kindPages',
};

/** The word of the catalogue for a kind; without one, the label of its type. */
function labelOf(kind: SearchedKind, words: Labels): string {
  const word = KIND_WORDS[kind];
  return word ? words.text(word) : (servedType(kind)?.label ?? kind);
}

function filtersOf(
  kind: SearchedKind | null,
  category: string | null,
  categories: readonly CategoryRef[],
  words: Labels,
): SearchPageData['filters'] {
  const kinds = SEARCHED_TYPES.map(value => ({ value, label: labelOf(value, words) }));
  const slugs = categories.map(({ name, slug }) => ({ value: slug, label: name }));
  return [
    {
      ...{ name: 'type', label: words.text('searchKind'), chosen: kind ?? '' },
      choices: [{ value: '', label: words.text('anyKind') }, ...kinds],
    },
    {
      ...{ name: 'category', label: words.text('searchCategory'), chosen: category ?? '' },
      choices: [{ value: '', label: words.text('anyCategory') }, ...slugs],
    },
  ];
}

/** @returns where to go on without results. Editors put the pages that most visitors want into the header. */
function waysOf(
  categories: readonly CategoryRef[],
  header: readonly PageLink[],
  words: Labels,
): SearchPageData['ways'] {
  const topics = categories.map(({ name, slug }) => ({
    title: name,
    href: pathTo('blog-category', { category: slug }),
  }));
  return [
    { title: words.text('searchTopics'), links: topics },
    { title: words.text('searchWanted'), links: header.map(({ title, href }) => ({ title, href })) },
  ].filter(({ links }) => links.length > 0);
}

function statusOf(
  query: string,
  { total, corrected, isPartial }: SearchAnswer,
  isReading: boolean,
  words: Labels,
): readonly string[] {
  return [
    ...(total === 0 ? [words.text('searchNothing', { query })] : []),
    ...(total > 0 && corrected !== null ? [words.text('searchCorrected', { query, corrected })] : []),
    ...(isPartial ? [words.text('searchPartly', { query })] : []),
    ...(total > 0 ? [words.count('searchResults', total)] : []),
    ...(isReading ? [words.text('searchReading')] : []),
  ];
}

function hrefOf(kind: SearchedKind, slug: string, category: string): string {
  const type = entryType(kind);
  return type ? pathTo(type.route, { slug }) : pathTo('blog-article', { category, slug });
}
