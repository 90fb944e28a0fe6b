import { siteTypes } from '../../../site/types.ts';
import { safeSlug } from '../../addresses/safe-address.ts';
import { storedSlugOf, storedSlugs } from '../../addresses/slug-spellings.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { DecodeRow } from '../../decode/decode-fields.ts';
import { callOf, joined } from '../../wire/content-calls.ts';
import type { DecodeContext } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { rowsOfAll } from '../../wire/wire.ts';
import type { Publication } from '../articles/publication.ts';
import type { Lists } from '../lists/lists.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import {
  type Ask,
  type ContentRequest,
  contentRequest,
  type ReadContent,
} from '../requests/content-request.ts';
import { withZoneFiles } from '../requests/zone-files.ts';
import { entryTags } from '../tags/content-tags.ts';
import { lookupProvenance } from '../tags/provenance.ts';
import { entriesByRank } from './address-clashes.ts';

/** `canonical` looks for other spellings only if no stored slug is canonical. */
export type Spelling = 'canonical' | 'any';

interface Entry {
  id: string;
  slug: string;
}

interface WantedSlug {
  readonly type: ServedType;
  readonly slug: string;
  readonly spelling: Spelling;
}

export function createSlugLookup(
  reader: AnswerReader,
  lists: Pick<Lists, 'slugs'>,
  publication: Publication,
) {
  async function search(
    { type, slug, spelling }: WantedSlug,
    ask: Ask,
    read: ReadContent,
  ): Promise<readonly JsonAnswer[]> {
    const answers: JsonAnswer[] = [];
    const found: JsonAnswer[] = [];

    async function find(operator: '$eq' | '$eqi', text: string): Promise<boolean> {
      const filter = `filters[slug][${operator}]=${encodeURIComponent(text)}`;
      const answer = await published(type, publication).askByDate(async dates => {
        const askFor = (selection: string) => ask(callOf(type, joined(filter, dates, selection)));
        return withZoneFiles(type, await reader.missing.ask(type, 'full', askFor), askFor);
      });
      answers.push(answer);
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
      // Look for other spellings of the slug, so that the log can name the hidden entry.
      await known();
      return true;
    }

    const otherCase = () => find('$eqi', slug);
    const known = () => findEach(reader.spellings.of(type.path, slug));
    const listed = async () => findEach((await read(lists.slugs(type))).get(slug) ?? []);
    // A slug beyond ASCII may need a read of all slugs, because SQLite ignores case in ASCII letters only.
    const steps = isAscii(slug) ? [canonical, otherCase, known] : [canonical, known, otherCase, listed];
    for (const step of steps) if ((await step()) && spelling === 'canonical') break;
    return found.length > 0 ? found : answers.slice(-1);
  }

  async function decodeFound<T extends Entry>(
    { type, slug, spelling }: WantedSlug,
    answers: readonly JsonAnswer[],
    decodeRow: DecodeRow<T>,
    context: DecodeContext,
  ): Promise<readonly T[] | null> {
    const decoded = await reader.decodeList(type, 'full', answers, decodeRow, context);
    const byId = new Map(decoded.map(entry => [entry.id, entry]));
    const ranked = entriesByRank(rowsOfAll(answers)).flatMap(entry => {
      const value = byId.get(entry.id);
      return value ? { value, isCanonical: storedSlugOf(entry) === slug } : [];
    });
    // Compare exactly: some databases find `about` for `about ` or `ábout`, which would be a second address.
    const found = ranked.filter(({ value }) => value.slug === slug);
    const canonical = found.filter(({ isCanonical }) => isCanonical);
    // Skip other spellings if the canonical slug exists: only some of them are known, from earlier responses.
    const chosen = spelling === 'canonical' && canonical.length > 0 ? canonical : found;
    return chosen.length > 0 ? chosen.map(({ value }) => value) : null;
  }

  function lookup<E extends Entry, T extends object>(
    wanted: WantedSlug,
    decodeRow: DecodeRow<E>,
    chosen: (rows: readonly E[] | null) => T | null,
    entriesIn: (value: T) => Parameters<typeof lookupProvenance>[2],
  ): ContentRequest<T | null> {
    const { type, slug, spelling } = wanted;
    return contentRequest<T | null>({
      type,
      key: `${type.path}/${slug}${spelling === 'any' ? '?spelling=any' : ''}`,
      fetch: (ask, read) => search(wanted, ask, read),
      endsAt: published(type, publication).endsAt,
      isPacked: true,
      begin: reader.begin,
      decode: async (answers, context) => chosen(await decodeFound(wanted, answers, decodeRow, context)),
      provenance: value => lookupProvenance(type.path, slug, value ? entriesIn(value) : []),
    });
  }

  return {
    /** Requests the entries with a slug, in the order in which they win its address. Null if none has it. */
    all: <T extends Entry>(
      type: ServedType,
      slug: string,
      spelling: Spelling,
      decodeRow: DecodeRow<T>,
      tagsOf: (entry: T) => readonly string[],
    ) =>
      lookup(
        { type, slug, spelling },
        decodeRow,
        rows => rows,
        rows => rows.map(entry => ({ id: entry.id, tags: tagsOf(entry) })),
      ),
    first: <T extends Entry>(type: ServedType, slug: string, decodeRow: DecodeRow<T>) =>
      lookup(
        { type, slug, spelling: 'canonical' },
        decodeRow,
        rows => rows?.[0] ?? null,
        entry => [{ id: entry.id, tags: entryTags(type.path, entry, entry.id) }],
      ),
  };
}

/** @returns the filter by date for articles, the only type with a date; no filter for other types. */
export function published(
  type: ServedType,
  publication: Publication,
): Pick<Publication, 'askByDate' | 'endsAt'> {
  return type.path === siteTypes.article.path
    ? publication
    : { askByDate: call => call(''), endsAt: undefined };
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
