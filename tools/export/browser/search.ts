import MiniSearch, { type AsPlainObject } from 'minisearch';
import { folded } from '../../../server/search/index/words.ts';
import { createLabels, type LabelsOf } from '../../../shared/labels/labels.ts';
import type { PagePayload } from '../../../shared/payload/payload.ts';
import type {
  MarkedText,
  SearchPageData,
  SearchResult,
  SearchSuggestions,
} from '../../../shared/payload/search-data.ts';
import {
  INDEX,
  type SearchedPage,
  type SearchFile,
  type SearchWords,
  type StoredPage,
} from './searched-pages.ts';

const PER_PAGE = 10;
const MAX_SUGGESTIONS = 6;
const MAX_QUERY = 200;

interface Opened {
  /** The payload of the page without a query. */
  readonly empty: PagePayload<'search'>;
  readonly index: MiniSearch<SearchedPage>;
  readonly words: LabelsOf<SearchWords>;
}

let opened: Promise<Opened> | null = null;

/** Loads the index at the first search. If that fails, the next search retries. */
function open(): Promise<Opened> {
  opened ??= load();
  opened.catch(() => {
    opened = null;
  });
  return opened;
}

async function load(): Promise<Opened> {
  const [file, empty] = await Promise.all(['/search/index.json', '/search/_payload.json'].map(read));
  const { index, language, words } = file as SearchFile;
  return {
    empty: empty as PagePayload<'search'>,
    index: await MiniSearch.loadJSAsync<SearchedPage>(index as unknown as AsPlainObject, INDEX),
    words: createLabels<SearchWords>(language, words),
  };
}

async function read(address: string): Promise<unknown> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

interface Found {
  readonly hits: readonly (StoredPage & { readonly terms: readonly string[] })[];
  /** Whether pages have only some of the words. */
  readonly isPartial: boolean;
}

function find(index: Opened['index'], text: string, kind: string, category: string): Found {
  const search = (combineWith: 'AND' | 'OR') =>
    index
      .search(text, {
        combineWith,
        boost: { title: 4, description: 2 },
        prefix: term => term.length > 1,
        fuzzy: term => (term.length > 4 ? 0.2 : false),
        filter: page =>
          (kind === '' || page.kind === kind) && (category === '' || page.category === category),
      })
      .map(hit => ({ ...(hit as unknown as StoredPage), terms: hit.terms }));
  const hits = search('AND');
  return hits.length > 0 ? { hits, isPartial: false } : { hits: search('OR'), isPartial: true };
}

export async function answerSearch(query: URLSearchParams): Promise<PagePayload<'search'>> {
  const { index, words, empty: payload } = await open();
  const before = payload.data.page;
  if (before === null) return payload;
  const text = (query.get('q') ?? '').replace(/\s+/g, ' ').slice(0, MAX_QUERY).trim();
  const chosen = (name: 'type' | 'category') => {
    const choices = before.filters.find(filter => filter.name === name)?.choices ?? [];
    return choices.find(({ value }) => value === query.get(name))?.value ?? '';
  };
  const [kind, category] = [chosen('type'), chosen('category')];
  const { hits, isPartial } = find(index, text, kind, category);
  const pageCount = Math.ceil(hits.length / PER_PAGE);
  const page = Math.min(Math.max(1, Number(query.get('page')) || 1), Math.max(1, pageCount));
  const shown = hits.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const found = [
    ...(isPartial ? [words.text('searchPartly', { query: text })] : []),
    words.count('searchResults', hits.length),
  ];
  const data: SearchPageData = {
    ...before,
    query: text,
    // The cast is safe: the filter offers only kinds that the site knows.
    kind: (kind || null) as SearchPageData['kind'],
    category: category || null,
    filters: before.filters.map(filter => ({ ...filter, chosen: filter.name === 'type' ? kind : category })),
    page,
    pageCount,
    results: shown.map(hit => resultOf(hit, before)),
    status: hits.length === 0 ? [words.text('searchNothing', { query: text })] : found,
    words: { ...before.words, wider: kind || category ? words.text('searchWider') : null },
  };
  const title = words.text('searchTitleOf', { query: text });
  const head = { ...payload.head, title: payload.head.title.replace(before.words.title, () => title) };
  return { ...payload, data: { ...payload.data, page: data }, head };
}

export async function suggest(query: URLSearchParams): Promise<SearchSuggestions> {
  const { index, words, empty } = await open();
  const { hits, isPartial } = find(index, query.get('q') ?? '', '', '');
  const shown = isPartial ? [] : hits.slice(0, MAX_SUGGESTIONS);
  return {
    results: shown.map(hit => ({ ...resultOf(hit, empty.data.page), snippet: [] })),
    status: shown.length === 0 ? '' : words.count('suggestionsFound', shown.length),
  };
}

function resultOf(
  { href, title, description, kind, category, date, terms }: Found['hits'][number],
  page: SearchPageData | null,
): SearchResult {
  const labelOf = (name: 'type' | 'category', value: string) =>
    page?.filters.find(filter => filter.name === name)?.choices.find(choice => choice.value === value)?.label;
  return {
    href,
    title: marked(title, terms),
    snippet: marked(description, terms),
    label: (category && labelOf('category', category)) || labelOf('type', kind) || '',
    date,
  };
}

/** @returns the text in parts, of which every second one is a found word. */
function marked(text: string, terms: readonly string[]): MarkedText {
  const found = new Set(terms);
  const parts = [''];
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    const isFound = found.has(folded(part));
    if (isFound) parts.push(part, '');
    else parts[parts.length - 1] += part;
  }
  return parts;
}
