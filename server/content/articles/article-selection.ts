import { siteTypes } from '../../../site/types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { callOf, joined } from '../../wire/content-calls.ts';
import type { ServedType } from '../../wire/described-types.ts';
import type {
  ArticleOrder,
  ArticleSelection,
  EntrySelection,
  FeedSelection,
} from '../reading/read-values.ts';
import { emptyAnswer } from '../requests/answer-meaning.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import type { OptionalField } from '../requests/content-query.ts';
import type { Ask } from '../requests/content-request.ts';
import type { MissingFields } from '../requests/missing-fields.ts';

const type = siteTypes.article;
export const TAGS: OptionalField = { type: type.path, field: 'tags', cost: type.fields.tags.optional };

const FIELDS = { author: 'author', tag: 'tags' } as const;

export function selectionFilter({ by, id }: EntrySelection): string {
  return idFilter([FIELDS[by]], id);
}

/** Filters by id. Strapi 4 has numeric ids and no `documentId`. */
export function idFilter(fields: readonly string[], id: string): string {
  const key = /^\d+$/.test(id) ? 'id' : 'documentId';
  return `filters${[...fields, key].map(field => `[${field}]`).join('')}[$eq]=${encodeURIComponent(id)}`;
}

export function optionalFieldOf({ by }: ArticleSelection | FeedSelection): OptionalField | null {
  return by === 'tag' ? TAGS : null;
}

export function categoryFilter(storedSlug: string): string {
  return `filters[category][slug][$eq]=${encodeURIComponent(storedSlug)}`;
}

interface AskedArticles {
  type: ServedType;
  /** Makes the query of the next call. It has the present time, and no fields that the backend lacks. */
  query(): string;
  order: ArticleOrder;
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
