import { listedTypes } from '../../../shared/content/entries.ts';
import { siteTypes } from '../../../site/types.ts';
import { safeSlug } from '../../addresses/safe-address.ts';
import { storedSlugs } from '../../addresses/slug-spellings.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { DecodeRow } from '../../decode/decode-fields.ts';
import { inSlices } from '../../ops/slices.ts';
import { joined } from '../../wire/content-calls.ts';
import { type DecodeContext, lose } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, rowsOfAll } from '../../wire/wire.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import type { QueryForm } from '../requests/content-query.ts';
import { type Ask, type ContentRequest, indexedRequest } from '../requests/content-request.ts';
import type { MissingFields } from '../requests/missing-fields.ts';
import { tagNames } from '../tags/content-tags.ts';
import { type Provenance, wholeListProvenance } from '../tags/provenance.ts';
import { allPages, readNames } from './all-pages.ts';

export type Lists = ReturnType<typeof createLists>;

export function createLists({ missing, begin, decodeList, onProblems }: AnswerReader) {
  /** Fetches all rows. Reports rows that the backend counts but omits. @param selection the chosen fields. */
  async function fetchAll(type: ServedType, selection: string, ask: Ask): Promise<readonly JsonAnswer[]> {
    const { answers, missingRows } = await oldestFirst(type, missing, sort =>
      allPages(type, joined(selection, sort), ask),
    );
    const problem = {
      kind: 'list-incomplete' as const,
      ...{ type: type.path, id: null, field: null, updatedAt: null },
      reason: `the backend counts ${missingRows} more rows than it sends, in two readings: these rows are not shown`,
    };
    onProblems(`${type.path}: number of rows`, missingRows > 0 ? [problem] : []);
    return answers;
  }

  /** Requests all rows of a type, sorted by `order` if it exists, then by creation. */
  function complete<P extends { id: string }, T extends object>(
    type: ServedType,
    form: QueryForm,
    decodeRow: DecodeRow<P>,
    index: (list: readonly P[]) => T,
    provenance: (list: readonly P[]) => Promise<Provenance> = list =>
      inSlices(wholeListProvenance(type.path, list)),
  ): ContentRequest<T> {
    return indexedRequest({
      key: type.path,
      type,
      fetch: ask => missing.ask(type, form, selection => fetchAll(type, selection, ask)),
      begin,
      async decode(answers, context) {
        const rows = distinct(await decodeList(type, form, answers, decodeRow, context));
        reportHiddenRows(type, rows.length, context);
        return inOrder(type, rows, answers);
      },
      index,
      provenance,
    });
  }

  return {
    fetchAll,
    complete,
    slugs: (type: ServedType) =>
      indexedRequest<readonly string[], ReadonlyMap<string, readonly string[]>>({
        key: `${type.path}?fields=slug`,
        type,
        fetch: ask => fetchAll(type, 'fields[0]=slug', ask),
        begin,
        decode: answers =>
          answers.flatMap(({ body }) => storedSlugs(body)).filter(stored => safeSlug(stored) !== stored),
        index: stored => Map.groupBy(new Set(stored), text => safeSlug(text) ?? ''),
        provenance: () => ({ tags: [tagNames.slugs(type.path)], decides: [] }),
      }),
    allNames: (type: ServedType, ask: Ask) =>
      oldestFirst(type, missing, sort => readNames(type, joined('fields[0]=slug', sort), ask)),
  };
}

/** Removes repeated rows: an added row shifts the others, so that one may be on two pages. */
function distinct<P extends { id: string }>(rows: readonly P[]): readonly P[] {
  const byId = new Map(rows.map(row => [row.id, row]));
  return byId.size === rows.length ? rows : [...byId.values()];
}

/** Sorts by creation first, because Strapi 5 renews the `id` at each publish. */
const OLDEST_FIRST = 'sort[0]=createdAt:asc&sort[1]=id:asc';

export function oldestFirst<T>(
  { path }: ServedType,
  missing: MissingFields,
  read: (sort: string) => Promise<T>,
): Promise<T> {
  const cost = 'its entries may change places when one of them is published';
  return missing.either(
    { type: path, field: 'createdAt', cost },
    () => read(OLDEST_FIRST),
    () => read(''),
  );
}

/** Sorts by `order`, rows without it last. The site sorts, because databases place null differently. */
function inOrder<T extends { id: string }>(
  { fields }: ServedType,
  rows: readonly T[],
  answers: readonly JsonAnswer[],
): readonly T[] {
  if (!('order' in fields)) return rows;
  const places = new Map(
    rowsOfAll(answers).flatMap(row => {
      const { id, attributes } = entryOf(row) ?? {};
      const isPlaced = typeof attributes?.order === 'number' && Number.isFinite(attributes.order);
      return isPlaced ? [[id, Number(attributes.order)] as const] : [];
    }),
  );
  const placeOf = ({ id }: T) => places.get(id) ?? Number.MAX_VALUE;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Limit for the rows on a page. More would block the browser's main thread. */
export const MAX_SHOWN_ROWS = 500;
/** Limit for the categories on the blog's index. Each one costs a call to the backend. */
export const MAX_SECTIONS = 250;

const SHOWN_TYPES: readonly string[] = [siteTypes.category, siteTypes.social, ...listedTypes].map(
  ({ path }) => path,
);

function reportHiddenRows({ path }: ServedType, rows: number, context: DecodeContext): void {
  if (!SHOWN_TYPES.includes(path)) return;
  const report = (most: number, where: string) =>
    lose(context, 'value-left-out', `only the first ${most} of ${rows} are shown ${where}`);
  if (rows > MAX_SHOWN_ROWS) report(MAX_SHOWN_ROWS, 'on a page');
  if (path === siteTypes.category.path && rows > MAX_SECTIONS)
    report(MAX_SECTIONS, 'on the index of the blog');
}
