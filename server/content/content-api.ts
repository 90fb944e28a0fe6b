import { ARTICLES_PER_PAGE } from '../../shared/constants.ts';
import type {
  Article,
  ArticleSummary,
  Author,
  BlogPageConfig,
  Category,
  ListPage,
} from '../../shared/content/blog.ts';
import { contentTypes, type FieldDescription } from '../../shared/content/content-types.ts';
import type { Entry, EntrySummary } from '../../shared/content/entries.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { BackendClient, JsonAnswer } from '../backend/backend-client.ts';
import { callOf, joined, malformed, pageOf, paginationOf } from './content-calls.ts';
import type { QueryForm } from './content-query.ts';
import { type Ask, type ContentRequest, contentRequest, type Provenance } from './content-request.ts';
import {
  decodeArticle,
  decodeArticleSummary,
  decodeAuthor,
  decodeBlogPage,
  decodeCategory,
} from './decode/decode-blog.ts';
import { entryDecoders } from './decode/decode-entries.ts';
import { type DecodeContext, type DecodeRow, decodeRows } from './decode/decode-fields.ts';
import { decodeLanding } from './decode/decode-landing.ts';
import { decodeSettings, decodeSocial } from './decode/decode-settings.ts';
import { measurePictures } from './decode/measure-pictures.ts';
import { reportProblems } from './decode/report-problems.ts';
import { entryOf, type WireEntry } from './decode/wire.ts';
import type { ServedType } from './described-types.ts';
import { createMissingFields } from './missing-fields.ts';
import {
  buildRedirectTable,
  type RedirectProblem,
  type RedirectRow,
  redirectRows,
} from './redirect-table.ts';
import { siteRedirects } from './site-redirects.ts';
import { createSlugLookup } from './slug-lookup.ts';

/** Rows on one page of a list: the most that the backend allows. */
const PAGE_SIZE = 100;
/** Most pages that are read of one list. Later rows are ignored: no list of content is that long. */
const MAX_PAGES = 100;

/** The types whose entries are pages of their own with a text, by their paths below `/api`. */
const ENTRY_TYPES = {
  'business-solutions': 'business-solution',
  commerces: 'commerce',
  pages: 'page',
} as const;
export type EntryType = keyof typeof ENTRY_TYPES;

export interface Categories {
  list: readonly Category[];
  bySlug: ReadonlyMap<string, Category>;
}

export interface Authors {
  list: readonly Author[];
  byId: ReadonlyMap<string, Author>;
}

/** The requests for the backend's content, one for each piece of it. */
export interface ContentApi {
  /** Categories, also indexed by slug. */
  categories(): ContentRequest<Categories>;
  settings(): ContentRequest<Settings>;
  socials(): ContentRequest<readonly Social[]>;
  /** Authors, also indexed by id. */
  authors(): ContentRequest<Authors>;
  landing(): ContentRequest<LandingConfig>;
  mainPage(): ContentRequest<BlogPageConfig>;
  /** One page of a category's articles, newest first. `page` begins at 1; a page past the end is empty. */
  articlesOfCategory(slug: string, page: number): ContentRequest<ListPage<ArticleSummary>>;
  /** Every article that has an address, newest first, for the sitemap and the feed. */
  allArticles(): ContentRequest<readonly ArticleSummary[]>;
  /** The article with a slug, or null. */
  article(slug: string): ContentRequest<Article | null>;
  entries(type: EntryType): ContentRequest<readonly EntrySummary[]>;
  /** The entry with a slug, or null. */
  entry(type: EntryType, slug: string): ContentRequest<Entry | null>;
  /** The redirect table: the site's own redirects, then the rows of the backend. */
  redirects(): ContentRequest<RedirectTable>;
  /** Makes later requests ask again for the optional fields that the backend has refused. */
  forgetMissingFields(): void;
  /**
   * Sends a message as a JSON object. The answer's body is ignored.
   *
   * @throws BackendError when the backend has not accepted the message; the signal's reason.
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
  /** The site's own origin, or null when it is not configured. An absolute redirect to this origin counts as a path. */
  publicOrigin: string | null;
  /** Called with the rows that a new redirect table leaves out. */
  onRedirectProblems: (problems: readonly RedirectProblem[]) => void;
}

const NEWEST_FIRST = 'sort[0]=publishedAt:desc&sort[1]=id:desc';

/** @returns the requests for all content, decoded with one context. */
export function createContentApi({
  client,
  context,
  publicOrigin,
  onRedirectProblems,
}: ContentApiOptions): ContentApi {
  const missing = createMissingFields(({ type, field, cost }) =>
    context.report({
      kind: 'field-absent',
      type,
      id: null,
      reason: `the backend does not know '${field}' and is asked without it: ${cost}`,
    }),
  );

  /**
   * Adds the sizes of the pictures in rich text that has just been decoded. Call it with the decoded value directly, without an `await` in
   * between: `drainUnsized` would otherwise also return pictures of other answers.
   */
  async function withPictureSizes<T>(decoded: T): Promise<T> {
    const pictures = context.richText.drainUnsized();
    if (context.sizeOf) await measurePictures(pictures, context.sizeOf);
    return decoded;
  }

  function report(type: ServedType, form: QueryForm, body: unknown): void {
    const isAsked = (name: string, field: FieldDescription) =>
      (form === 'full' || field.inLists === true) && !missing.has(type.path, name);
    reportProblems(type, body, isAsked, context);
  }

  function single<T extends object>(
    type: ServedType,
    decodeEntry: (entry: WireEntry, context: DecodeContext) => T,
  ): ContentRequest<T> {
    return contentRequest<T, T>({
      key: type.path,
      fetch: ask => missing.ask(type, 'full', async selection => [await ask(callOf(type, selection))]),
      async decode([answer]) {
        report(type, 'full', answer?.body);
        const entry = entryOf(answer?.body);
        if (!entry) throw malformed(type, 'the answer holds no entry');
        return withPictureSizes(decodeEntry(entry, context));
      },
      index: value => value,
      provenance: () => ({ tags: [type.path], about: null }),
    });
  }

  async function decodeList<T>(
    type: ServedType,
    form: QueryForm,
    answers: readonly JsonAnswer[],
    decodeRow: DecodeRow<T>,
  ): Promise<T[]> {
    const items: T[] = [];
    for (const { body } of answers) {
      report(type, form, body);
      const rows = await withPictureSizes(decodeRows(type.path, body, decodeRow, context));
      if (!rows) throw malformed(type, 'the answer holds no list');
      items.push(...rows);
    }
    return items;
  }

  /** All rows of a type. */
  function completeList<P extends { id: string }, T extends object>(
    type: ServedType,
    form: QueryForm,
    decodeRow: DecodeRow<P>,
    index: (list: readonly P[]) => T,
    { sort = '', provenance = listProvenance(type.path) }: CompleteListOptions<P> = {},
  ): ContentRequest<T> {
    return contentRequest<readonly P[], T>({
      key: type.path,
      fetch: ask => missing.ask(type, form, selection => allPages(type, joined(sort, selection), ask)),
      decode: answers => decodeList(type, form, answers, decodeRow),
      index,
      provenance,
    });
  }

  const bySlug = createSlugLookup({
    ask: missing.ask,
    decodeRows: (type, answer, decodeRow) => decodeList(type, 'full', [answer], decodeRow),
  });

  return {
    categories: () =>
      completeList(contentTypes.category, 'full', decodeCategory, list => ({
        list,
        bySlug: new Map(list.map(category => [category.slug, category])),
      })),
    settings: () => single(contentTypes.settings, decodeSettings),
    socials: () => completeList(contentTypes.social, 'full', decodeSocial, list => list),
    authors: () =>
      completeList(contentTypes.author, 'full', decodeAuthor, list => ({
        list,
        byId: new Map(list.map(author => [author.id, author])),
      })),
    landing: () => single(contentTypes.landing, decodeLanding),
    mainPage: () => single(contentTypes['main-page'], decodeBlogPage),

    articlesOfCategory(slug, number) {
      const type = contentTypes.article;
      const filter = `filters[category][slug][$eq]=${encodeURIComponent(slug)}`;
      const paging = pageOf(number, ARTICLES_PER_PAGE);
      return contentRequest<ListPage<ArticleSummary>, ListPage<ArticleSummary>>({
        key: `articles?category=${slug}&page=${number}`,
        fetch: ask =>
          missing.ask(type, 'list', async selection => [
            await ask(callOf(type, joined(filter, NEWEST_FIRST, paging, selection))),
          ]),
        async decode(answers) {
          const items = await decodeList(type, 'list', answers, decodeArticleSummary);
          return { page: number, items, ...paginationOf(answers[0]?.body) };
        },
        index: value => value,
        provenance: ({ items }) => articlesProvenance(items),
      });
    },
    allArticles: () =>
      completeList(contentTypes.article, 'list', decodeArticleSummary, list => list, {
        sort: NEWEST_FIRST,
        provenance: articlesProvenance,
      }),
    article: slug =>
      bySlug(contentTypes.article, slug, decodeArticle, article => ({
        tags: articleTags(article),
        about: `articles:${article.id}`,
      })),

    entries(path) {
      const name = ENTRY_TYPES[path];
      return completeList(contentTypes[name], 'list', entryDecoders[name].summary, list => list);
    },
    entry(path, slug) {
      const name = ENTRY_TYPES[path];
      return bySlug(contentTypes[name], slug, entryDecoders[name].full, ({ id }) => ({
        tags: [`${path}:${id}`],
        about: `${path}:${id}`,
      }));
    },
    redirects: () => {
      const type = contentTypes.redirect;
      return contentRequest<readonly RedirectRow[], RedirectTable>({
        key: type.path,
        fetch: ask => missing.ask(type, 'full', selection => allPages(type, selection, ask)),
        async decode(answers) {
          const rows = await decodeList(type, 'full', answers, row => ({ ok: true, value: row }));
          return redirectRows(rows);
        },
        index(rows) {
          const { table, problems } = buildRedirectTable([...siteRedirects, ...rows], publicOrigin);
          onRedirectProblems(problems);
          return table;
        },
        provenance: () => ({ tags: [type.path], about: null }),
      });
    },
    forgetMissingFields: missing.forget,

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

interface CompleteListOptions<P> {
  sort?: string;
  provenance?: (list: readonly P[]) => Provenance;
}

/** Fetches all pages of a list, up to MAX_PAGES. */
async function allPages(type: ServedType, query: string, ask: Ask): Promise<readonly JsonAnswer[]> {
  const answers: JsonAnswer[] = [];
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const answer = await ask(callOf(type, joined(query, pageOf(number, PAGE_SIZE))));
    answers.push(answer);
    if (number >= paginationOf(answer.body).pageCount) break;
  }
  return answers;
}

/** The tags of a list: its type, because a new entry changes the list, and each of its entries. */
const listProvenance =
  (type: string) =>
  (items: readonly { id: string }[]): Provenance => ({
    tags: [type, ...items.map(({ id }) => `${type}:${id}`)],
    about: null,
  });

function articlesProvenance(items: readonly ArticleSummary[]): Provenance {
  return { tags: ['articles', ...items.flatMap(articleTags)], about: null };
}

function articleTags({ id, category, author }: Article | ArticleSummary): string[] {
  return [
    `articles:${id}`,
    ...(category ? [`categories:${category.id}`] : []),
    ...(author ? [`authors:${author.id}`] : []),
  ];
}
