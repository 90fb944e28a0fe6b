import type { Author, Tag } from '../../../shared/content/blog.ts';
import type { Entry, EntrySummary, EntryType } from '../../../shared/content/entries.ts';
import { siteTypes } from '../../../site/types.ts';
import { withSlugs } from '../../addresses/slug-of-name.ts';
import type { BackendClient } from '../../backend/backend-client.ts';
import {
  decodeArticle,
  decodeAuthor,
  decodeBlogPage,
  decodeTag,
  entryDecodersOf,
} from '../../decode/decode-blog.ts';
import { type DecodeRow, placeOf } from '../../decode/decode-fields.ts';
import { decodeLanding } from '../../decode/decode-landing.ts';
import { decodeSettings, decodeSocial } from '../../decode/decode-settings.ts';
import type { DecodingServices } from '../../decode/decoding.ts';
import type { PublicationClock } from '../../decode/site-time.ts';
import { inSlices } from '../../ops/slices.ts';
import { callOf, malformed } from '../../wire/content-calls.ts';
import { atEntry, atRow, type DecodeContext } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, type WireEntry } from '../../wire/wire.ts';
import { createArticleLists } from '../articles/article-lists.ts';
import { feedArticlesRequest } from '../articles/feed-articles.ts';
import { createPublication } from '../articles/publication.ts';
import { affectedSelections, type ListedChange } from '../changes/affected-selections.ts';
import { createLists } from '../lists/lists.ts';
import { categoriesRequest } from '../reading/categories.ts';
import type { ArticleOrder, FeedSelection, NamedEntries } from '../reading/read-values.ts';
import { entryAddressRequest } from '../slugs/entry-address.ts';
import { previousSlugsRequest } from '../slugs/previous-slugs.ts';
import { createSlugLookup, type Spelling } from '../slugs/slug-lookup.ts';
import { articleTags } from '../tags/article-tags.ts';
import { entryTags } from '../tags/content-tags.ts';
import { cardListProvenance, wholeListProvenance, wholeProvenance } from '../tags/provenance.ts';
import { createAnswerReader } from './answer-reader.ts';
import { type Ask, type ContentRequest, contentRequest } from './content-request.ts';
import { type RedirectsOptions, redirectsRequest } from './redirects-request.ts';

export type Authors = NamedEntries<Author>;
export type Tags = NamedEntries<Tag>;

export type ContentApi = ReturnType<typeof createContentApi>;

export interface ContentApiOptions extends RedirectsOptions {
  /** The locale of addresses that are made from names. The settings of the CMS do not change addresses. */
  siteLocale: string;
  client: Pick<BackendClient, 'postJson'>;
  decoding: DecodingServices;
  publication?: PublicationClock | null;
}

export function createContentApi({
  client,
  decoding,
  siteLocale,
  publication: shownClock = null,
  ...redirecting
}: ContentApiOptions) {
  const answers = createAnswerReader({ ...decoding, shownClock });
  const { missing } = answers;
  const publication = createPublication(answers, shownClock);
  const lists = createLists(answers);
  const redirects = redirectsRequest(answers, lists.fetchAll, redirecting);
  const bySlug = createSlugLookup(answers, lists, publication);

  function single<T extends object>(
    type: ServedType,
    decodeEntry: (entry: WireEntry, context: DecodeContext) => T,
  ): ContentRequest<T> {
    return contentRequest<T>({
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
      provenance: value => wholeProvenance(type.path, ...entryTags(type.path, value, null)),
    });
  }

  /** Requests all entries, even for one, because an entry's address depends on its namesakes. */
  function named<T extends { id: string; name: string; slug: string | null }>(
    type: ServedType,
    decodeRow: DecodeRow<T>,
  ): ContentRequest<NamedEntries<T & { slug: string }>> {
    return lists.complete(
      type,
      'full',
      decodeRow,
      rows => {
        const list = withSlugs(rows, siteLocale);
        return {
          list,
          byId: new Map(list.map(entry => [entry.id, entry])),
          bySlug: new Map(list.map(entry => [entry.slug, entry])),
          byPlainSlug: new Map(withSlugs(rows, null).map(({ id, slug }) => [slug, id])),
        };
      },
      rows => inSlices(wholeListProvenance(type.path, withSlugs(rows, siteLocale))),
    );
  }

  return {
    ...createArticleLists(answers, publication),
    feedArticles: (selection: FeedSelection, order: ArticleOrder) =>
      feedArticlesRequest(answers, publication, selection, order),
    categories: () => categoriesRequest(lists),
    settings: () => single(siteTypes.settings, decodeSettings),
    socials: () => lists.complete(siteTypes.social, 'full', decodeSocial, list => list),
    authors: () => named(siteTypes.author, decodeAuthor),
    tags: () => named(siteTypes.tag, decodeTag),
    landing: () => single(siteTypes.landing, decodeLanding),
    mainPage: () => single(siteTypes.blog, decodeBlogPage),

    nextDate: publication.nextDate,
    allNames: lists.allNames,
    lastChanges: answers.lastChanges,
    affectedSelections: (changes: readonly ListedChange[], ask: Ask) =>
      affectedSelections(missing, publication.monthOf, changes, ask),
    /** Requests the articles with a slug. In each category, the first of them wins the address. */
    articlesWithSlug: (slug: string, spelling: Spelling) =>
      bySlug.all(siteTypes.article, slug, spelling, decodeArticle, articleTags),

    entries(path: EntryType): ContentRequest<readonly EntrySummary[]> {
      const { type, summary } = entryDecodersOf(path);
      return lists.complete(
        type,
        'list',
        summary,
        list => list,
        list => inSlices(cardListProvenance(path, list)),
      );
    },
    entry(path: EntryType, slug: string): ContentRequest<Entry | null> {
      const { type, full } = entryDecodersOf(path);
      return bySlug.first(type, slug, full);
    },
    entryAddress: (type: ServedType, id: string) => entryAddressRequest(answers, publication, type, id),
    previousSlugs: (type: ServedType) => previousSlugsRequest(answers, lists, type, siteLocale),
    redirects: () => redirects,
    forgetMissingFields: () => missing.forget(),

    sendEmail: (
      message: Readonly<Record<string, string>>,
      signal: AbortSignal,
      { idempotencyKey, timeoutMs }: { idempotencyKey?: string; timeoutMs?: number } = {},
    ): Promise<void> =>
      client.postJson('/api/email/send', JSON.stringify(message), signal, {
        headers: idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {},
        timeoutMs,
        secrets: typedWords(message),
      }),
  };
}

/** The least length of a form's value that is hidden in the log. Shorter values identify nobody. */
const SHORTEST_WORD = 3;

/** @returns the values typed by a visitor, without the name of the form. */
function typedWords({ form: _form, ...fields }: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(fields).filter(value => value.length >= SHORTEST_WORD);
}
