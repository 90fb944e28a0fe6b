import { contentTypes } from '../../../shared/content/content-types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { callOf, joined } from '../content-calls.ts';
import { type Ask, type ContentRequest, contentRequest, type ReadContent } from '../content-request.ts';
import { entryTags, lookupProvenance } from '../content-tags.ts';
import type { DecodeContext } from '../decode/decode-context.ts';
import type { DecodeRow } from '../decode/decode-fields.ts';
import type { ServedType } from '../described-types.ts';
import type { Lists } from '../lists/lists.ts';
import type { Publication } from '../lists/publication.ts';
import { safeSlug } from '../safe-address.ts';
import { entriesByRank } from './address-clashes.ts';
import { storedSlugOf, storedSlugs } from './slug-spellings.ts';

/**
 * `canonical`: entries whose slug is stored in its canonical form, and entries of another spelling only if there are none. `any`: entries of
 * every spelling. Of several entries that all have another spelling, `canonical` knows those that answers have shown.
 */
export type Spelling = 'canonical' | 'any';

export interface SlugLookup {
  /** A request for the entries with a slug in its canonical form, in the order in which they win an address; null without any. */
  all<T extends Entry>(
    type: ServedType,
    slug: string,
    spelling: Spelling,
    decodeRow: DecodeRow<T>,
    tagsOf: (entry: T) => readonly string[],
  ): ContentRequest<readonly T[] | null>;
  /** A request for the entry that wins the address of a slug; null without one. */
  first<T extends Entry>(type: ServedType, slug: string, decodeRow: DecodeRow<T>): ContentRequest<T | null>;
}

interface Entry {
  id: string;
  slug: string;
}

/** @returns the requests for entries by slug. */
export function createSlugLookup(
  { missing, spellings, begin, decodeList }: AnswerReader,
  lists: Pick<Lists, 'slugs'>,
  publication: Publication,
): SlugLookup {
  /** Only articles wait for their dates. */
  const published = (type: ServedType): Pick<Publication, 'ask' | 'endsAt'> =>
    type.path === contentTypes.article.path ? publication : { ask: call => call('') };

  /** Finds the rows with a slug, in as few calls as the database allows. */
  async function fetchRows(
    type: ServedType,
    slug: string,
    spelling: Spelling,
    ask: Ask,
    read: ReadContent,
  ): Promise<readonly JsonAnswer[]> {
    const found: JsonAnswer[] = [];
    let last: JsonAnswer | null = null;

    async function find(operator: '$eq' | '$eqi', text: string): Promise<boolean> {
      const filter = `filters[slug][${operator}]=${encodeURIComponent(text)}`;
      const answer = await published(type).ask(dates =>
        missing.ask(type, 'full', selection => ask(callOf(type, joined(filter, dates, selection)))),
      );
      last = answer;
      const isFound = storedSlugs(answer.body).some(stored => safeSlug(stored) === slug);
      if (isFound) found.push(answer);
      return isFound;
    }

    async function findEach(stored: readonly string[]): Promise<boolean> {
      let isFound = false;
      for (const text of stored) isFound = (await find('$eq', text)) || isFound;
      return isFound;
    }

    async function canonical(): Promise<boolean> {
      if (spelling !== 'canonical' || !(await find('$eq', slug))) return false;
      // Another entry may have the same slug in another spelling: the log then names the one that is not shown.
      await known();
      return true;
    }

    const otherCase = () => find('$eqi', slug);
    const known = () => findEach(spellings.of(type.path, slug));
    const listed = async () => findEach((await read(lists.slugs(type))).get(slug) ?? []);
    // SQLite ignores the case of ASCII letters alone, and it knows composed and decomposed letters as different. So the stored spelling
    // of other letters has to be known. All slugs are read only if no list has shown it.
    const steps = isAscii(slug) ? [canonical, otherCase, known] : [canonical, known, otherCase, listed];
    for (const step of steps) if ((await step()) && spelling === 'canonical') break;
    return found.length > 0 || !last ? found : [last];
  }

  async function decodeRows<T extends Entry>(
    type: ServedType,
    slug: string,
    spelling: Spelling,
    answers: readonly JsonAnswer[],
    decodeRow: DecodeRow<T>,
    context: DecodeContext,
  ): Promise<readonly T[] | null> {
    const decoded = await decodeList(type, 'full', answers, decodeRow, context);
    const byId = new Map(decoded.map(entry => [entry.id, entry]));
    const ranked = entriesByRank(answers.map(({ body }) => body)).flatMap(entry => {
      const value = byId.get(entry.id);
      return value ? { value, isCanonical: storedSlugOf(entry) === slug } : [];
    });
    // Some databases also find `about` for `about ` or `ábout`. Without this check both would be second addresses of the page.
    const found = ranked.filter(({ value }) => value.slug === slug);
    const canonical = found.filter(({ isCanonical }) => isCanonical);
    // The other spellings that were found beside a canonical one are those that answers have shown so far, perhaps not all.
    const chosen = spelling === 'canonical' && canonical.length > 0 ? canonical : found;
    return chosen.length > 0 ? chosen.map(({ value }) => value) : null;
  }

  return {
    all: <T extends Entry>(
      type: ServedType,
      slug: string,
      spelling: Spelling,
      decodeRow: DecodeRow<T>,
      tagsOf: (entry: T) => readonly string[],
    ) =>
      contentRequest<readonly T[] | null, readonly T[] | null>({
        type,
        key: `${type.path}/${slug}${spelling === 'any' ? '?spelling=any' : ''}`,
        fetch: (ask, read) => fetchRows(type, slug, spelling, ask, read),
        endsAt: published(type).endsAt,
        isPacked: true,
        begin,
        decode: (answers, context) => decodeRows(type, slug, spelling, answers, decodeRow, context),
        index: value => value,
        provenance: value =>
          lookupProvenance(
            type.path,
            slug,
            (value ?? []).map(entry => ({ id: entry.id, tags: tagsOf(entry) })),
          ),
      }),
    first: <T extends Entry>(type: ServedType, slug: string, decodeRow: DecodeRow<T>) =>
      contentRequest<T | null, T | null>({
        type,
        key: `${type.path}/${slug}`,
        fetch: (ask, read) => fetchRows(type, slug, 'canonical', ask, read),
        isPacked: true,
        begin,
        decode: async (answers, context) =>
          (await decodeRows(type, slug, 'canonical', answers, decodeRow, context))?.[0] ?? null,
        index: value => value,
        provenance: value =>
          lookupProvenance(
            type.path,
            slug,
            value ? [{ id: value.id, tags: entryTags(type.path, value, value.id) }] : [],
          ),
      }),
  };
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
