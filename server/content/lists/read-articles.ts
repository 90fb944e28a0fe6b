import type { JsonAnswer } from '../../backend/backend-client.ts';
import { emptyAnswer } from '../answer-meaning.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { callOf, joined } from '../content-calls.ts';
import type { OptionalField } from '../content-query.ts';
import type { Ask } from '../content-request.ts';
import type { ServedType } from '../described-types.ts';
import { type ArticleOrder, newestFirst } from './article-order.ts';

/** The articles that a call asks for. */
export interface AskedArticles {
  /** The articles with the fields that the page shows. */
  type: ServedType;
  /** The filters and the pagination. Called for each call, because they name the time and leave out fields that the backend lacks. */
  query(): string;
  order: ArticleOrder;
  /** The field that the filters name, if a backend may lack it. The list is then empty. */
  filtered: OptionalField | null;
}

/** Reads one page of articles, newest first, in one call. */
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
