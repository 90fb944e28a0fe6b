import { contentTypes } from '../../../shared/content/content-types.ts';
import { ok } from '../../../shared/result.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { callOf, joined, malformed, pageOf, paginationOf } from '../content-calls.ts';
import { type ContentRequest, contentRequest } from '../content-request.ts';
import { orderProvenance } from '../content-tags.ts';
import { atRow, inside, lose } from '../decode/decode-context.ts';
import { decodeRows, placeOf } from '../decode/decode-fields.ts';
import type { MissingFields } from '../missing-fields.ts';

/** The field by which all lists of articles are sorted, newest first. */
export interface ArticleOrder {
  readonly by: 'date' | 'publishedAt';
}

const type = contentTypes.article;
const COUNT_UNDATED = 'filters[date][$null]=true&fields[0]=slug';
/** Stands in for the count of a backend without the field. The text is kept on disk like an answer. */
const NO_SUCH_FIELD = { text: 'null', body: null };

/**
 * @returns the request for the order: by `date` if every article has one, else by `publishedAt`. The databases behind Strapi disagree about
 *   the place of null, so a sort by `date` with undated articles would depend on the database.
 */
export function articleOrderRequest({ missing, begin }: AnswerReader): ContentRequest<ArticleOrder> {
  return contentRequest<ArticleOrder, ArticleOrder>({
    key: 'articles?order',
    type,
    isServedStale: true,
    isCount: true,
    async fetch(ask) {
      const cost = type.fields.date.optional;
      return missing.either(
        { type: type.path, field: 'date', cost },
        async () => [await ask(callOf(type, joined(COUNT_UNDATED, pageOf(1, 1))))],
        async () => [NO_SUCH_FIELD],
      );
    },
    begin,
    decode([answer], context) {
      const isCounted = answer?.text !== NO_SUCH_FIELD.text;
      if (isCounted && !decodeRows(type.path, answer?.body, ok, context))
        throw malformed(type, 'the answer holds no list');
      const undated = isCounted ? paginationOf(answer?.body).total : 'all';
      if (undated === 0) return { by: 'date' };
      const reason = `${undated} articles have no 'date', so all articles are listed by 'publishedAt': give each article a date`;
      lose(inside(atRow(context, placeOf(type.path, null)), 'date'), 'undated-articles', reason);
      return { by: 'publishedAt' };
    },
    index: order => order,
    provenance: order => orderProvenance(type.path, order),
  });
}

/** @returns the part of a query that sorts articles. A backend that has lost the field `date` is not asked to sort by it. */
export function newestFirst({ by }: ArticleOrder, missing: Pick<MissingFields, 'has'>): string {
  const field = missing.has(type.path, 'date') ? 'publishedAt' : by;
  return `sort[0]=${field}:desc&sort[1]=id:desc`;
}
