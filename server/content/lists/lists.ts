import { safeSlug } from '../../addresses/safe-address.ts';
import { storedSlugs } from '../../addresses/slug-spellings.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { DecodeRow } from '../../decode/decode-fields.ts';
import { inSlices } from '../../ops/slices.ts';
import { joined } from '../../wire/content-calls.ts';
import type { ServedType } from '../../wire/described-types.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import type { QueryForm } from '../requests/content-query.ts';
import { type Ask, type ContentRequest, indexedRequest } from '../requests/content-request.ts';
import { tagNames } from '../tags/content-tags.ts';
import { type Provenance, wholeListProvenance } from '../tags/provenance.ts';
import { allPages } from './all-pages.ts';
import { inOrder, oldestFirst } from './list-order.ts';
import { readNames } from './read-names.ts';
import { reportHiddenRows } from './shown-rows.ts';

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
    /** Requests slugs that are not stored in canonical form, by their canonical form. */
    slugs: (type: ServedType) =>
      indexedRequest<readonly string[], ReadonlyMap<string, readonly string[]>>({
        key: `${type.path}?fields=slug`,
        type,
        fetch: ask => fetchAll(type, 'fields[0]=slug', ask),
        begin,
        decode: answers =>
          answers.flatMap(({ body }) => storedSlugs(body)).filter(stored => safeSlug(stored) !== stored),
        index: stored => Map.groupBy(new Set(stored), text => safeSlug(text) ?? ''),
        provenance: () => ({ tags: [tagNames.slugs(type.path)], about: null, decides: [] }),
      }),
    /** Reads names without the cache. @returns null if entries were added or removed meanwhile. */
    allNames: (type: ServedType, ask: Ask) =>
      oldestFirst(type, missing, sort => readNames(type, joined('fields[0]=slug', sort), ask)),
  };
}

/** Removes repeated rows: an added row shifts the others, and one may be on two pages. */
function distinct<P extends { id: string }>(rows: readonly P[]): readonly P[] {
  const byId = new Map(rows.map(row => [row.id, row]));
  return byId.size === rows.length ? rows : [...byId.values()];
}
