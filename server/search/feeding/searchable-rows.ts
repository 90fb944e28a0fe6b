import { entryTypes } from '../../../shared/content/entries.ts';
import { ok } from '../../../shared/result.ts';
import { siteTypes } from '../../../site/types.ts';
import { fixedAddressOf } from '../../addresses/fixed-addresses.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { LastChanges } from '../../content/changes/last-changes.ts';
import { PAGE_SIZE, readNames } from '../../content/lists/all-pages.ts';
import type { AnswerReader } from '../../content/requests/answer-reader.ts';
import { type Ask, contentRequest } from '../../content/requests/content-request.ts';
import { anyProvenance } from '../../content/tags/provenance.ts';
import { entityDecoder } from '../../decode/decode-entity.ts';
import type { DecodeRow } from '../../decode/decode-fields.ts';
import { isHiddenBy } from '../../decode/decode-seo.ts';
import { timeOf } from '../../decode/site-time.ts';
import { callOf, joined, pageOf, paginationOf } from '../../wire/content-calls.ts';
import type { DecodeContext } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, rowsOf, textOf } from '../../wire/wire.ts';
import type { SearchDocument, SearchedType, SearchRow } from '../search-types.ts';

/** The order in which rows are read, and the place of the next page. */
export interface RowsPlace {
  /** The time field that sorts rows; null for a backend without times, which sorts by id. */
  readonly by: LastChanges['by'];
  /** The time of the last known change; rows with earlier changes are left out. */
  readonly since: string;
  readonly page: number;
}

export type SearchableRows = ReturnType<typeof createSearchableRows>;

const inLists = { inLists: true } as const;
const { title, h1, description, slug, body, sections, seo, publishAt, unpublishAt } = siteTypes.page.fields;
const common = {
  ...{ title, description, slug, publishAt, unpublishAt },
  h1: { ...h1, ...inLists },
  seo: { ...seo, ...inLists, reads: ['metaRobots'] },
} as const;
const { date, category, author, tags } = siteTypes.article.fields;
const ofArticles = {
  date,
  category,
  author: { ...author, reads: ['name'] },
  tags: { ...tags, ...inLists, reads: ['name'] },
} as const;
const texts = { body: { ...body, ...inLists }, sections: { ...sections, ...inLists } };
const article = { ...siteTypes.article, fields: { ...common, ...ofArticles, ...texts } };
const decodeArticle = entityDecoder({ ...siteTypes.article, fields: { ...common, ...ofArticles } });
const decodePage = entityDecoder({ ...siteTypes.page, fields: common });

const pages = entryTypes.map(type => ({ ...type, fields: { ...common, ...texts } }));
export const SEARCHED_TYPES: readonly SearchedType[] = [article, ...pages].map(({ path }) => path);
const TYPES: ReadonlyMap<string, ServedType> = new Map([article, ...pages].map(type => [type.path, type]));

/** @param reader one that reports no problems. @param timeZone the IANA zone of dates without a time. */
export function createSearchableRows(reader: AnswerReader, timeZone: () => string) {
  const { missing, begin, decodeList, lastChanges } = reader;
  return {
    newest: (path: SearchedType) =>
      contentRequest({
        key: `search?${path}&newest`,
        type: typeOf(path),
        isCount: true,
        async fetch(ask) {
          let last: JsonAnswer | null = null;
          await lastChanges(typeOf(path), 1, async call => {
            last = await ask(call);
            return last;
          });
          return last ? [last] : [];
        },
        begin,
        decode: ([answer]) => newestIn(answer),
        provenance: () => anyProvenance(path),
      }),

    rows: (path: SearchedType, place: RowsPlace) =>
      contentRequest({
        key: `search?${path}&${place.by}&since=${encodeURIComponent(place.since)}&page=${place.page}`,
        type: typeOf(path),
        fetch: ask =>
          missing.ask(typeOf(path), 'list', async selection => [
            await ask(callOf(typeOf(path), joined(queryOf(place), selection))),
          ]),
        begin,
        async decode(answers, context) {
          const decodeRow = rowDecoder(path, place.by, timeZone);
          const rows = await decodeList(typeOf(path), 'list', answers, decodeRow, context);
          const { pageCount } = paginationOf(answers[0]?.body);
          return { rows, isLast: place.page >= pageCount };
        },
        provenance: () => anyProvenance(path),
      }),

    async ids(path: SearchedType, ask: Ask): Promise<readonly string[]> {
      return [...((await readNames(typeOf(path), 'fields[0]=slug', ask))?.ids ?? [])];
    },
  };
}

function typeOf(path: SearchedType): ServedType {
  return TYPES.get(path) ?? article;
}

function queryOf({ by, since, page }: RowsPlace): string {
  const sort = by === null ? 'sort[0]=id:asc' : `sort[0]=${by}:asc&sort[1]=id:asc`;
  const later = by === null || since === '' ? '' : `filters[${by}][$gte]=${encodeURIComponent(since)}`;
  return joined(later, sort, pageOf(page, PAGE_SIZE));
}

function newestIn(answer: JsonAnswer | undefined) {
  const total = paginationOf(answer?.body).total;
  const [row] = rowsOf(answer?.body) ?? [];
  const entry = entryOf(row);
  if (!entry) return { by: null, stamp: '', total };
  const { publishedAt, updatedAt } = entry.attributes;
  // Choose the time field as `last-changes.ts` does. Only rows of Strapi 5 have a `documentId`.
  const isOfStrapi5 =
    typeof (row as { documentId?: unknown }).documentId === 'string' && textOf(publishedAt) !== null;
  const by: LastChanges['by'] = isOfStrapi5 ? 'publishedAt' : textOf(updatedAt) === null ? null : 'updatedAt';
  return { by, stamp: by === null ? '' : (textOf(entry.attributes[by]) ?? ''), total };
}

/** Accepts every row with an id. A row without a page has no document. */
function rowDecoder(path: SearchedType, by: LastChanges['by'], timeZone: () => string): DecodeRow<SearchRow> {
  return (row, context) => {
    const entry = entryOf(row);
    if (!entry) return { ok: false, error: { reason: 'the row has no id', field: null } };
    const stamp = by === null ? '' : (textOf(entry.attributes[by]) ?? '');
    return ok({ id: entry.id, stamp, document: documentOf(path, row, context, timeZone) });
  };
}

function headingOf(path: SearchedType, row: unknown, context: DecodeContext) {
  if (path === article.path) return decodeArticle(row, context);
  const decoded = decodePage(row, context);
  return decoded.ok ? ok({ ...decoded.value, category: null, author: null, tags: [], date: null }) : decoded;
}

/** @returns null for an entry that has no page or is hidden from search engines. */
function documentOf(
  path: SearchedType,
  row: unknown,
  context: DecodeContext,
  timeZone: () => string,
): SearchDocument | null {
  const decoded = headingOf(path, row, context);
  if (!decoded.ok) return null;
  const { slug, title, h1, description, seo, category, author, tags, date } = decoded.value;
  if (path === article.path && category === null) return null;
  if (isHiddenBy(seo?.metaRobots) || fixedAddressOf(path, slug) !== null) return null;
  const { body: text, sections: parts, date: day, publishAt, unpublishAt } = entryOf(row)?.attributes ?? {};
  const timeAt = (value: unknown) => {
    const moment = textOf(value);
    const time = moment === null ? Number.NaN : timeOf(moment, timeZone());
    return Number.isNaN(time) ? null : time;
  };
  const from = [date === null ? null : timeAt(textOf(day) ?? date), timeAt(publishAt)];
  return {
    ...{ slug, title, h1, description },
    category: category?.id ?? null,
    author: author && { id: author.id, name: author.name },
    tags: tags.map(({ id }) => id),
    date: date === null ? null : Date.parse(date),
    from: from.reduce(later),
    until: timeAt(unpublishAt),
    body: JSON.stringify([{ text }, parts]),
  };
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
