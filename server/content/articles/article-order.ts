import { contentTypes } from '../../../shared/content/content-types.ts';
import { ok } from '../../../shared/result.ts';
import { decodeRows, placeOf } from '../../decode/decode-fields.ts';
import { callOf, joined, malformed, pageOf, paginationOf } from '../../wire/content-calls.ts';
import { atRow, inside, lose } from '../../wire/decode-context.ts';
import type { ArticleOrder } from '../reading/content-reader.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import { type ContentRequest, contentRequest } from '../requests/content-request.ts';
import { orderProvenance } from '../tags/provenance.ts';

const type = contentTypes.article;
const COUNT_UNDATED = 'filters[date][$null]=true&fields[0]=slug';
/** Stands in for the count of a backend without the field. The disk keeps it like an answer. */
const NO_SUCH_FIELD = { text: 'null', body: null };

/** By `date` if every article has one, else by `publishedAt`: databases place null differently. */
export function articleOrderRequest({ missing, begin }: AnswerReader): ContentRequest<ArticleOrder> {
  return contentRequest<ArticleOrder>({
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
    provenance: order => orderProvenance(type.path, order),
  });
}
