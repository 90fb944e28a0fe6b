import { siteTypes } from '../../../site/types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { callOf, joined } from '../../wire/content-calls.ts';
import type { ServedType } from '../../wire/described-types.ts';
import type { ArticleOrder } from '../reading/read-values.ts';
import { emptyAnswer } from '../requests/answer-meaning.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import type { OptionalField } from '../requests/content-query.ts';
import type { Ask } from '../requests/content-request.ts';
import type { MissingFields } from '../requests/missing-fields.ts';

interface AskedArticles {
  type: ServedType;
  /** Called before each call, because the query contains the time and omits missing fields. */
  query(): string;
  order: ArticleOrder;
  /** The filtered field if a backend may lack it. The list is then empty. */
  filtered: OptionalField | null;
}

export function readArticles(
  { missing }: Pick<AnswerReader, 'missing'>,
  { type, query, order, filtered }: AskedArticles,
  ask: Ask,
): Promise<readonly JsonAnswer[]> {
  const fetchRows = () =>
    missing.ask(type, 'list', async selection => [
      await ask(callOf(type, joined(query(), newestFirst(order, missing), selection))),
    ]);
  return filtered === null
    ? fetchRows()
    : missing.either(filtered, fetchRows, async () => [emptyAnswer(type)]);
}

/** Sorts newest first. A backend without the field `date` is not asked to sort by it. */
function newestFirst({ by }: ArticleOrder, missing: Pick<MissingFields, 'has'>): string {
  const field = missing.has(siteTypes.article.path, 'date') ? 'publishedAt' : by;
  return `sort[0]=${field}:desc&sort[1]=id:desc`;
}
