import type { Article, Author, BlogPageConfig, Tag } from '../../shared/content/blog.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import type { Entry, EntrySummary } from '../../shared/content/entries.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { BackendClient } from '../backend/backend-client.ts';
import { inSlices } from '../ops/turns.ts';
import { createAnswerReader } from './answer-reader.ts';
import { type Categories, categoriesRequest } from './categories.ts';
import { callOf, malformed } from './content-calls.ts';
import { type ContentRequest, contentRequest } from './content-request.ts';
import {
  articleTags,
  cardListProvenance,
  entryTags,
  wholeListProvenance,
  wholeProvenance,
} from './content-tags.ts';
import { decodeArticle, decodeAuthor, decodeBlogPage, decodeTag } from './decode/decode-blog.ts';
import { atEntry, atRow, type DecodeContext } from './decode/decode-context.ts';
import { entryDecoders } from './decode/decode-entries.ts';
import { type DecodeRow, placeOf } from './decode/decode-fields.ts';
import { decodeLanding } from './decode/decode-landing.ts';
import { decodeSettings, decodeSocial } from './decode/decode-settings.ts';
import type { DecodingServices } from './decode/decoding.ts';
import { entryOf, type WireEntry } from './decode/wire.ts';
import type { ServedType } from './described-types.ts';
import { createLists, type Lists } from './lists/lists.ts';
import { createPublication, type Publication, type PublicationClock } from './lists/publication.ts';
import { type RedirectsOptions, redirectsRequest } from './redirects/redirects-request.ts';
import { type PreviousSlugs, previousSlugsRequest } from './slugs/previous-slugs.ts';
import { createSlugLookup, type Spelling } from './slugs/slug-lookup.ts';
import { withSlugs } from './slugs/slug-of-name.ts';
import type { ReadLastChanges } from './sweep/last-changes.ts';

/** The types whose entries are pages of their own with a text, by their paths below `/api`. */
const ENTRY_TYPES = {
  'business-solutions': 'business-solution',
  commerces: 'commerce',
  pages: 'page',
} as const;
export type EntryType = keyof typeof ENTRY_TYPES;

export function isEntryType(path: string): path is EntryType {
  return Object.hasOwn(ENTRY_TYPES, path);
}

/** All entries of a type, also indexed by id and by the slug of their pages. */
export interface NamedEntries<T> {
  list: readonly T[];
  byId: ReadonlyMap<string, T>;
  bySlug: ReadonlyMap<string, T>;
}
export type Authors = NamedEntries<Author>;
export type Tags = NamedEntries<Tag>;

/** The requests for the backend's content, one for each piece of it. */
export interface ContentApi extends Omit<Lists, 'complete' | 'fetchAll' | 'slugs'> {
  /** Categories, also indexed by slug. */
  categories(): ContentRequest<Categories>;
  settings(): ContentRequest<Settings>;
  socials(): ContentRequest<readonly Social[]>;
  authors(): ContentRequest<Authors>;
  tags(): ContentRequest<Tags>;
  landing(): ContentRequest<LandingConfig>;
  mainPage(): ContentRequest<BlogPageConfig>;
  /**
   * The articles with a slug, in the order in which they win an address; null without any. Articles of several categories may have one
   * slug.
   */
  articlesWithSlug(slug: string, spelling: Spelling): ContentRequest<readonly Article[] | null>;
  /** For the months of articles that have changed. */
  readonly monthOf: Publication['monthOf'];
  /** When the next article is published by its date. Null where articles are shown whatever their dates. */
  readonly nextDate: Publication['nextDate'];
  entries(type: EntryType): ContentRequest<readonly EntrySummary[]>;
  /** The entry with a slug, or null. */
  entry(type: EntryType, slug: string): ContentRequest<Entry | null>;
  /** The present slugs of a type's renamed entries, by the slugs that they had before. */
  previousSlugs(type: ServedType): ContentRequest<PreviousSlugs>;
  /** The redirect table: the site's own redirects, then the rows of the backend. */
  redirects(): ContentRequest<RedirectTable>;
  readonly lastChanges: ReadLastChanges;
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

export interface ContentApiOptions extends RedirectsOptions {
  client: Pick<BackendClient, 'postJson'>;
  decoding: DecodingServices;
  /** The clock by which articles are published. Without it they are shown before their dates. */
  publication?: PublicationClock;
}

/** @returns the requests for all content, decoded with the same services. */
export function createContentApi({
  client,
  decoding,
  publication: clock,
  ...redirecting
}: ContentApiOptions): ContentApi {
  const answers = createAnswerReader(decoding);
  const { missing } = answers;
  const publication = createPublication(answers, clock ?? null);
  const lists = createLists(answers, publication);
  const redirects = redirectsRequest(answers, lists.fetchAll, redirecting);
  const bySlug = createSlugLookup(answers, lists, publication);

  function single<T extends object>(
    type: ServedType,
    decodeEntry: (entry: WireEntry, context: DecodeContext) => T,
  ): ContentRequest<T> {
    return contentRequest<T, T>({
      key: type.path,
      type,
      fetch: ask => missing.ask(type, 'full', async selection => [await ask(callOf(type, selection))]),
      begin: answers.begin,
      decode([answer], context) {
        answers.report(type, 'full', answer?.body, context);
        const entry = entryOf(answer?.body);
        if (!entry) throw malformed(type, 'the answer holds no entry');
        return decodeEntry(entry, atEntry(atRow(context, placeOf(type.path, entry))));
      },
      index: value => value,
      provenance: value => wholeProvenance(type.path, ...entryTags(type.path, value, null)),
    });
  }

  /** The address of an entry depends on its namesakes, so the tags of the entries have it from the list of all. */
  function named<T extends { id: string; name: string; slug: string | null }>(
    type: ServedType,
    decodeRow: DecodeRow<T>,
  ): ContentRequest<NamedEntries<T & { slug: string }>> {
    return lists.complete(
      type,
      'full',
      decodeRow,
      rows => {
        const list = withSlugs(rows);
        return {
          list,
          byId: new Map(list.map(entry => [entry.id, entry])),
          bySlug: new Map(list.map(entry => [entry.slug, entry])),
        };
      },
      rows => inSlices(wholeListProvenance(type.path, withSlugs(rows))),
    );
  }

  return {
    categories: () => categoriesRequest(lists),
    settings: () => single(contentTypes.settings, decodeSettings),
    socials: () => lists.complete(contentTypes.social, 'full', decodeSocial, list => list),
    authors: () => named(contentTypes.author, decodeAuthor),
    tags: () => named(contentTypes.tag, decodeTag),
    landing: () => single(contentTypes.landing, decodeLanding),
    mainPage: () => single(contentTypes['main-page'], decodeBlogPage),

    articleCount: lists.articleCount,
    articleAddresses: lists.articleAddresses,
    articleOrder: lists.articleOrder,
    feedArticles: lists.feedArticles,
    nextDate: publication.nextDate,
    allNames: lists.allNames,
    lastChanges: answers.lastChanges,
    articlesOfCategory: lists.articlesOfCategory,
    articlesOf: lists.articlesOf,
    articlesAround: lists.articlesAround,
    articleYears: lists.articleYears,
    articleMonths: lists.articleMonths,
    monthOf: publication.monthOf,
    newestArticles: lists.newestArticles,
    newestOfGroup: lists.newestOfGroup,
    articlesWithSlug: (slug, spelling) =>
      bySlug.all(contentTypes.article, slug, spelling, decodeArticle, articleTags),

    entries(path) {
      const name = ENTRY_TYPES[path];
      return lists.complete(
        contentTypes[name],
        'list',
        entryDecoders[name].summary,
        list => list,
        list => inSlices(cardListProvenance(path, list)),
      );
    },
    entry(path, slug) {
      const name = ENTRY_TYPES[path];
      return bySlug.first(contentTypes[name], slug, entryDecoders[name].full);
    },
    previousSlugs: type => previousSlugsRequest(answers, lists, type),
    redirects: () => redirects,
    forgetMissingFields: missing.forget,

    sendEmail: (message, signal, { idempotencyKey, timeoutMs } = {}) =>
      client.postJson('/api/email/send', JSON.stringify(message), signal, {
        headers: idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {},
        timeoutMs,
        secrets: typedWords(message),
      }),
  };
}

/** Shortest word of a visitor that is kept out of the log: shorter ones name nobody, and every sentence has them. */
const SHORTEST_WORD = 3;

/** @returns what a visitor has typed. The name of the form is not. */
function typedWords({ form: _form, ...fields }: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(fields).filter(value => value.length >= SHORTEST_WORD);
}
