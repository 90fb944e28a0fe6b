import { ARTICLES_PER_PAGE } from '../../shared/constants.ts';
import type {
  Article,
  ArticleSummary,
  Author,
  BlogPageConfig,
  Category,
  ListPage,
} from '../../shared/content/blog.ts';
import type { Entry, EntrySummary } from '../../shared/content/entries.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { BackendClient, JsonAnswer } from '../backend/backend-client.ts';
import { BackendError } from '../errors.ts';
import { type Ask, type ContentRequest, contentRequest, type Provenance } from './content-request.ts';
import {
  decodeArticle,
  decodeArticleSummary,
  decodeAuthor,
  decodeBlogPage,
  decodeCategory,
} from './decode/decode-blog.ts';
import { decodeEntry, decodeEntrySummary } from './decode/decode-entries.ts';
import { type DecodeContext, type DecodeRow, decodeRows } from './decode/decode-fields.ts';
import { decodeLanding } from './decode/decode-landing.ts';
import { decodeSettings, decodeSocial } from './decode/decode-settings.ts';
import { measurePictures } from './decode/measure-pictures.ts';
import { reportProblems } from './decode/report-problems.ts';
import { entryOf, isObject, rowsOf, type WireEntry } from './decode/wire.ts';
import {
  buildRedirectTable,
  type RedirectProblem,
  type RedirectRow,
  redirectRows,
} from './redirect-table.ts';
import { siteRedirects } from './site-redirects.ts';

/** The backend's ceiling for a page of a list. */
const PAGE_SIZE = 100;
/** A list of more pages than this is a mistake of the backend's, not content. */
const MAX_PAGES = 100;

/** Collection types whose entries have an address of their own. */
export type EntryType = 'business-solutions' | 'commerces' | 'pages';

export interface Categories {
  list: readonly Category[];
  bySlug: ReadonlyMap<string, Category>;
}

export interface Authors {
  list: readonly Author[];
  byId: ReadonlyMap<string, Author>;
}

/** The content of the backend: one request for each piece of it. */
export interface ContentApi {
  /** Categories, also indexed by slug. */
  categories(): ContentRequest<Categories>;
  settings(): ContentRequest<Settings>;
  socials(): ContentRequest<readonly Social[]>;
  /** Authors, also indexed by id. */
  authors(): ContentRequest<Authors>;
  landing(): ContentRequest<LandingConfig>;
  mainPage(): ContentRequest<BlogPageConfig>;
  /** Page `page` (1-based) of a category's articles, newest first; past the end an empty one. */
  articlesOfCategory(slug: string, page: number): ContentRequest<ListPage<ArticleSummary>>;
  /** Every article that has an address, newest first: for the sitemap and the feed. */
  allArticles(): ContentRequest<readonly ArticleSummary[]>;
  /** Null: there is none with this slug. */
  article(slug: string): ContentRequest<Article | null>;
  entries(type: EntryType): ContentRequest<readonly EntrySummary[]>;
  /** Null: there is none with this slug. */
  entry(type: EntryType, slug: string): ContentRequest<Entry | null>;
  /** The redirects of the site's configuration and, after them, the rows of the backend. */
  redirects(): ContentRequest<RedirectTable>;
  /**
   * Sends a message: its body is a JSON string of an object, and the answer is not used.
   *
   * @throws BackendError when the backend has not accepted it; the signal's reason.
   */
  sendEmail(
    message: Readonly<Record<string, string>>,
    signal: AbortSignal,
    options?: { idempotencyKey?: string; timeoutMs?: number },
  ): Promise<void>;
}

export interface ContentApiOptions {
  client: Pick<BackendClient, 'postJson'>;
  context: DecodeContext;
  /** The site's own origin, where it is configured: an absolute redirect to it counts as a path. */
  publicOrigin: string | null;
  /** Called with the rows that a new redirect table leaves out. */
  onRedirectProblems: (problems: readonly RedirectProblem[]) => void;
}

const SUMMARY_FIELDS = ['title', 'description', 'slug', 'publishedAt', 'createdAt', 'updatedAt'];
/** An editor's own date; not every backend's articles have one. */
const DATE_FIELD = 'date';

/** Fields and relations of an article in a list: never its body. */
function summaryQuery(fields: readonly string[]): string {
  return [
    ...fields.map((field, index) => `fields[${index}]=${field}`),
    'populate[cover]=true',
    'populate[category][fields][0]=name',
    'populate[category][fields][1]=slug',
    'populate[author][populate]=image',
  ].join('&');
}
const NEWEST_FIRST = 'sort[0]=publishedAt:desc&sort[1]=id:desc';
const LANDING_POPULATE =
  'populate[countries_list][populate]=image&populate[block1Icons]=true&populate[paymentBlockImages][populate]=image';
const ENTRY_SUMMARY_FIELDS = 'fields[0]=title&fields[1]=description&fields[2]=slug&fields[3]=updatedAt';

/** @returns the requests for all content, decoded with one context. */
export function createContentApi({
  client,
  context,
  publicOrigin,
  onRedirectProblems,
}: ContentApiOptions): ContentApi {
  let hasDate = true;

  /** To be called as soon as an answer is decoded: the pictures that were compiled in between belong to this answer. */
  async function sized<T>(decoded: T): Promise<T> {
    const pictures = context.richText.takeUnsized();
    if (context.sizeOf) await measurePictures(pictures, context.sizeOf);
    return decoded;
  }

  function single<T extends object>(
    type: string,
    query: string,
    decodeEntry: (entry: WireEntry, context: DecodeContext) => T,
  ): ContentRequest<T> {
    return contentRequest<T, T>({
      key: type,
      fetch: async ask => [await ask(callOf(type, query))],
      async decode([answer]) {
        reportProblems(type, answer?.body, context);
        const entry = entryOf(answer?.body);
        if (!entry) throw malformed(type, 'the answer holds no entry');
        return sized(decodeEntry(entry, context));
      },
      index: value => value,
      provenance: () => ({ tags: [type], about: null }),
    });
  }

  async function decodeList<T>(
    type: string,
    answers: readonly JsonAnswer[],
    decodeRow: DecodeRow<T>,
  ): Promise<T[]> {
    const items: T[] = [];
    for (const { body } of answers) {
      reportProblems(type, body, context);
      const rows = await sized(decodeRows(type, body, decodeRow, context));
      if (!rows) throw malformed(type, 'the answer holds no list');
      items.push(...rows);
    }
    return items;
  }

  /** All rows of a type. @param fetch asks for its pages. */
  function wholeList<P extends { id: string }, T extends object>(
    type: string,
    decodeRow: DecodeRow<P>,
    fetch: ContentRequest<T>['fetch'],
    index: (list: readonly P[]) => T,
    provenance: (list: readonly P[]) => Provenance = ofList(type),
  ): ContentRequest<T> {
    return contentRequest<readonly P[], T>({
      key: type,
      fetch,
      decode: answers => decodeList(type, answers, decodeRow),
      index,
      provenance,
    });
  }

  function bySlug<T extends { slug: string }>(
    type: string,
    slug: string,
    populate: string,
    decodeRow: DecodeRow<T>,
    provenance: (value: T) => Provenance,
  ): ContentRequest<T | null> {
    const query = `filters[slug][$eq]=${encodeURIComponent(slug)}${populate && `&${populate}`}`;
    return contentRequest<T | null, T | null>({
      key: `${type}/${slug}`,
      fetch: async ask => [await ask(callOf(type, query))],
      async decode(answers) {
        const items = await decodeList(type, answers, decodeRow);
        const { total } = paginationOf(answers[0]?.body);
        // A row that is there but broken is a failure of the backend, and must not be remembered as 'no such page'.
        if (items.length === 0 && total > 0) throw malformed(type, `the entry '${slug}' is broken`);
        // Databases compare loosely: to some `about `, `About` and `ábout` are `about`, and would be further addresses of it.
        return items.find(item => inOneForm(item.slug) === inOneForm(slug)) ?? null;
      },
      index: value => value,
      // An entry that does not exist may be published at any time.
      provenance: value => (value ? provenance(value) : { tags: [type], about: null }),
    });
  }

  /** Strapi 5 refuses to be asked for a field that it does not know: then it is asked without, from then on. */
  async function withSummaryFields<T>(ask: (fields: string) => Promise<T>): Promise<T> {
    if (!hasDate) return ask(summaryQuery(SUMMARY_FIELDS));
    try {
      return await ask(summaryQuery([...SUMMARY_FIELDS, DATE_FIELD]));
    } catch (error) {
      if (!(error instanceof BackendError) || error.status !== 400 || !error.message.includes(DATE_FIELD))
        throw error;
      hasDate = false;
      return ask(summaryQuery(SUMMARY_FIELDS));
    }
  }

  return {
    categories: () =>
      wholeList('categories', decodeCategory, allPages('categories', ''), list => ({
        list,
        bySlug: new Map(list.map(category => [category.slug, category])),
      })),
    settings: () => single('settings', 'populate=*', decodeSettings),
    socials: () => wholeList('socials', decodeSocial, allPages('socials', 'populate=*'), list => list),
    authors: () =>
      wholeList('authors', decodeAuthor, allPages('authors', 'populate=*'), list => ({
        list,
        byId: new Map(list.map(author => [author.id, author])),
      })),
    landing: () => single('landing', LANDING_POPULATE, decodeLanding),
    mainPage: () => single('main-page', '', decodeBlogPage),

    articlesOfCategory(slug, number) {
      const paging = `pagination[page]=${number}&pagination[pageSize]=${ARTICLES_PER_PAGE}`;
      const query = `filters[category][slug][$eq]=${encodeURIComponent(slug)}&${NEWEST_FIRST}&${paging}`;
      return contentRequest<ListPage<ArticleSummary>, ListPage<ArticleSummary>>({
        key: `articles?category=${slug}&page=${number}`,
        fetch: ask =>
          withSummaryFields(async fields => [await ask(callOf('articles', `${query}&${fields}`))]),
        async decode(answers) {
          const items = await decodeList('articles', answers, decodeArticleSummary);
          return { page: number, items, ...paginationOf(answers[0]?.body) };
        },
        index: value => value,
        provenance: ({ items }) => ofArticles(items),
      });
    },
    allArticles: () =>
      wholeList(
        'articles',
        decodeArticleSummary,
        ask => withSummaryFields(fields => allPages('articles', `${NEWEST_FIRST}&${fields}`)(ask)),
        list => list,
        ofArticles,
      ),
    article: slug =>
      bySlug(
        'articles',
        slug,
        'populate[cover]=true&populate[category]=true&populate[author][populate]=image',
        decodeArticle,
        article => ({ tags: articleTags(article), about: `articles:${article.id}` }),
      ),

    entries: type =>
      wholeList(type, decodeEntrySummary, allPages(type, entrySummaryQuery(type)), list => list),
    entry: (type, slug) =>
      bySlug(type, slug, type === 'pages' ? '' : 'populate[cover]=true', decodeEntry, ({ id }) => ({
        tags: [`${type}:${id}`],
        about: `${type}:${id}`,
      })),
    redirects: () =>
      contentRequest<readonly RedirectRow[], RedirectTable>({
        key: 'redirects',
        fetch: allPages('redirects', ''),
        async decode(answers) {
          const rows = await decodeList('redirects', answers, row => ({ ok: true, value: row }));
          return redirectRows(rows);
        },
        index(rows) {
          const { table, problems } = buildRedirectTable([...siteRedirects, ...rows], publicOrigin);
          onRedirectProblems(problems);
          return table;
        },
        provenance: () => ({ tags: ['redirects'], about: null }),
      }),

    sendEmail: (message, signal, { idempotencyKey, timeoutMs } = {}) =>
      client.postJson(
        '/api/email/send',
        JSON.stringify(message),
        signal,
        idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {},
        timeoutMs,
      ),
  };
}

function callOf(type: string, query: string): string {
  return `/api/${type}${query && `?${query}`}`;
}

/** @returns a function that follows the pages of a list to its end. */
function allPages(type: string, query: string): (ask: Ask) => Promise<readonly JsonAnswer[]> {
  return async ask => {
    const answers: JsonAnswer[] = [];
    for (let number = 1; number <= MAX_PAGES; number += 1) {
      const paging = `pagination[page]=${number}&pagination[pageSize]=${PAGE_SIZE}`;
      const answer = await ask(callOf(type, query ? `${query}&${paging}` : paging));
      answers.push(answer);
      if (number >= paginationOf(answer.body).pageCount) break;
    }
    return answers;
  };
}

/** A list changes when an entry is added to its type, and when one of its own entries changes. */
const ofList =
  (type: string) =>
  (items: readonly { id: string }[]): Provenance => ({
    tags: [type, ...items.map(({ id }) => `${type}:${id}`)],
    about: null,
  });

function ofArticles(items: readonly ArticleSummary[]): Provenance {
  return { tags: ['articles', ...items.flatMap(articleTags)], about: null };
}

function articleTags({ id, category, author }: Article | ArticleSummary): string[] {
  return [
    `articles:${id}`,
    ...(category ? [`categories:${category.id}`] : []),
    ...(author ? [`authors:${author.id}`] : []),
  ];
}

/** Slugs are found by their address, in which the case is folded. */
function inOneForm(slug: string): string {
  return slug.toLowerCase().normalize('NFC');
}

function entrySummaryQuery(type: EntryType): string {
  return type === 'pages' ? ENTRY_SUMMARY_FIELDS : `${ENTRY_SUMMARY_FIELDS}&populate[cover]=true`;
}

function malformed(type: string, message: string): BackendError {
  return new BackendError('malformed', `GET /api/${type}`, message);
}

/** An answer that says nothing of pages is the whole list. */
function paginationOf(body: unknown): { pageCount: number; total: number } {
  const meta = isObject(body) ? body.meta : null;
  const pagination = isObject(meta) ? meta.pagination : null;
  const count = (name: string) => {
    const value = isObject(pagination) ? pagination[name] : null;
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
  };
  return { pageCount: count('pageCount') ?? 1, total: count('total') ?? rowsOf(body)?.length ?? 0 };
}
