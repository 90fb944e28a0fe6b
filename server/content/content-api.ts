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
import { type BackendClient, sourceOf } from '../backend/backend-client.ts';
import { BackendError } from '../errors.ts';
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
import { createKnownAnswers } from './known-answers.ts';

/** The backend's ceiling for a page of a list. */
const PAGE_SIZE = 100;
/** A list of more pages than this is a mistake of the backend's, not content. */
const MAX_PAGES = 100;

/** Collection types whose entries have an address of their own. */
export type EntryType = 'business-solutions' | 'commerces' | 'pages';

/**
 * The calls of the content backend, one function each. All reject with a BackendError when the backend gives nothing
 * usable, and with the signal's reason when it was aborted.
 */
export interface ContentApi {
  categories(signal: AbortSignal): Promise<readonly Category[]>;
  settings(signal: AbortSignal): Promise<Settings>;
  socials(signal: AbortSignal): Promise<readonly Social[]>;
  authors(signal: AbortSignal): Promise<readonly Author[]>;
  landing(signal: AbortSignal): Promise<LandingConfig>;
  mainPage(signal: AbortSignal): Promise<BlogPageConfig>;
  /** Page `page` (1-based) of a category's articles, newest first; past the end an empty one. */
  articlesOfCategory(slug: string, page: number, signal: AbortSignal): Promise<ListPage<ArticleSummary>>;
  /** Every article that has an address, newest first: for the sitemap and the feed. */
  allArticles(signal: AbortSignal): Promise<readonly ArticleSummary[]>;
  /** Null: there is none with this slug. */
  article(slug: string, signal: AbortSignal): Promise<Article | null>;
  entries(type: EntryType, signal: AbortSignal): Promise<readonly EntrySummary[]>;
  /** Null: there is none with this slug. */
  entry(type: EntryType, slug: string, signal: AbortSignal): Promise<Entry | null>;
  /** The rows as they are: the redirect table checks them itself. */
  redirects(signal: AbortSignal): Promise<readonly unknown[]>;
  /** Sends a message: its body is a JSON string of an object, and the answer is not used. */
  sendEmail(
    message: Readonly<Record<string, string>>,
    signal: AbortSignal,
    options?: { idempotencyKey?: string; timeoutMs?: number },
  ): Promise<void>;
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

/** @returns the calls over one client, decoding with one context. */
export function createContentApi(client: BackendClient, context: DecodeContext): ContentApi {
  let hasDate = true;

  const known = createKnownAnswers();

  async function get<T extends object>(
    type: string,
    query: string,
    decode: (body: unknown) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const call = `/api/${type}${query && `?${query}`}`;
    const body = await client.getJson(call, signal);
    return known.decoded(call, sourceOf(body), rowsOf(body)?.length === 0, async () =>
      compact(await decode(body)),
    );
  }

  /** To be called as soon as an answer is decoded: what was compiled in between is this answer's. */
  async function sized<T>(decoded: T): Promise<T> {
    const pictures = context.richText.takeUnsized();
    if (context.sizeOf) await measurePictures(pictures, context.sizeOf);
    return decoded;
  }

  function single<T extends object>(
    type: string,
    query: string,
    decode: (entry: WireEntry, context: DecodeContext) => T,
    signal: AbortSignal,
  ): Promise<T> {
    const decodeBody = (body: unknown) => {
      reportProblems(type, body, context);
      const entry = entryOf(body);
      if (!entry) throw malformed(type, 'the answer holds no entry');
      return sized(decode(entry, context));
    };
    return get(type, query, async body => decodeBody(body), signal);
  }

  /** @param number of the page, from 1 on. */
  function page<T>(
    type: string,
    query: string,
    decode: DecodeRow<T>,
    signal: AbortSignal,
    number = 1,
  ): Promise<ListPage<T>> {
    const decodeBody = async (body: unknown) => {
      reportProblems(type, body, context);
      const items = await sized(decodeRows(type, body, decode, context));
      if (!items) throw malformed(type, 'the answer holds no list');
      return { page: number, items, ...paginationOf(body, rowsOf(body)?.length ?? 0) };
    };
    return get(type, query, decodeBody, signal);
  }

  /** Follows the pages of a list to its end. */
  async function all<T>(
    type: string,
    query: string,
    decode: DecodeRow<T>,
    signal: AbortSignal,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    for (let number = 1; number <= MAX_PAGES; number += 1) {
      const paging = `pagination[page]=${number}&pagination[pageSize]=${PAGE_SIZE}`;
      const answer = await page(type, query ? `${query}&${paging}` : paging, decode, signal, number);
      // The very list that it was before, where it is.
      if (number === 1 && answer.pageCount <= 1) return answer.items;
      items.push(...answer.items);
      if (number >= answer.pageCount) break;
    }
    return items;
  }

  async function bySlug<T extends { slug: string }>(
    type: string,
    slug: string,
    populate: string,
    decode: DecodeRow<T>,
    signal: AbortSignal,
  ) {
    const query = `filters[slug][$eq]=${encodeURIComponent(slug)}${populate && `&${populate}`}`;
    const { items, total } = await page(type, query, decode, signal);
    // A row that is there but broken is a failure of the backend, and must not be remembered as 'no such page'.
    if (items.length === 0 && total > 0) throw malformed(type, `the entry '${slug}' is broken`);
    // Databases compare loosely: to some `about `, `About` and `ábout` are `about`, and would be further addresses of it.
    return items.find(item => inOneForm(item.slug) === inOneForm(slug)) ?? null;
  }

  /** Strapi 5 refuses to be asked for a field that it does not know: then it is asked without, from then on. */
  async function summaries<T>(ask: (fields: string) => Promise<T>): Promise<T> {
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
    categories: signal => all('categories', '', decodeCategory, signal),
    settings: signal => single('settings', 'populate=*', decodeSettings, signal),
    socials: signal => all('socials', 'populate=*', decodeSocial, signal),
    authors: signal => all('authors', 'populate=*', decodeAuthor, signal),
    landing: signal => single('landing', LANDING_POPULATE, decodeLanding, signal),
    mainPage: signal => single('main-page', '', decodeBlogPage, signal),

    async articlesOfCategory(slug, number, signal) {
      const paging = `pagination[page]=${number}&pagination[pageSize]=${ARTICLES_PER_PAGE}`;
      const query = `filters[category][slug][$eq]=${encodeURIComponent(slug)}&${NEWEST_FIRST}&${paging}`;
      return summaries(fields =>
        page('articles', `${query}&${fields}`, decodeArticleSummary, signal, number),
      );
    },
    allArticles: signal =>
      summaries(fields => all('articles', `${NEWEST_FIRST}&${fields}`, decodeArticleSummary, signal)),
    article: (slug, signal) =>
      bySlug(
        'articles',
        slug,
        'populate[cover]=true&populate[category]=true&populate[author][populate]=image',
        decodeArticle,
        signal,
      ),

    entries: (type, signal) => all(type, entrySummaryQuery(type), decodeEntrySummary, signal),
    entry: (type, slug, signal) =>
      bySlug(type, slug, type === 'pages' ? '' : 'populate[cover]=true', decodeEntry, signal),
    redirects: signal => all('redirects', '', row => ({ ok: true, value: row }), signal),

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

/**
 * The same, in the least memory: decoding cuts its texts out of larger ones, which live as long as the least part of them, and
 * grows its lists with room to spare. What JSON.parse makes has none of it, and is read faster by whoever renders it.
 */
function compact<T extends object>(decoded: T): T {
  return JSON.parse(JSON.stringify(decoded));
}

/** Where the backend says nothing of pages, what it sent is all there is. */
function paginationOf(body: unknown, length: number): { pageCount: number; total: number } {
  const meta = isObject(body) ? body.meta : null;
  const pagination = isObject(meta) ? meta.pagination : null;
  const count = (name: string) => {
    const value = isObject(pagination) ? pagination[name] : null;
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
  };
  return { pageCount: count('pageCount') ?? 1, total: count('total') ?? length };
}
