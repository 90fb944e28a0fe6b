import { siteTypes } from '../../../site/types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { callOf, joined, pageOf, paginationOf, rowsIn } from '../../wire/content-calls.ts';
import { isObject, rowsOf } from '../../wire/wire.ts';
import { PAGE_SIZE } from '../lists/all-pages.ts';
import type { ArticleOrder, PeriodCount } from '../reading/read-values.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import { type Ask, type ContentRequest, contentRequest } from '../requests/content-request.ts';
import type { MissingFields } from '../requests/missing-fields.ts';
import { monthsProvenance, yearsProvenance } from '../tags/article-tags.ts';
import type { Publication } from './publication.ts';

interface PeriodCounts {
  readonly list: readonly PeriodCount[];
}

const type = siteTypes.article;
const YEAR_LENGTH = '2026'.length;
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'));
/** Limit for the archive, newest first. Each year may cost a call, and a mistyped year may add many. */
const MAX_YEARS = 60;
const CALLS_AT_A_TIME = 6;
/** A filter for articles with a category. Others have no address, so no list shows them. */
const HAS_CATEGORY = '[category][id][$notNull]=true';

interface DateField {
  readonly name: 'date' | 'publishedAt';
  readonly conditions: readonly string[];
}

/** Lists the date fields. `publishedAt` stands in for a missing `date`. */
function dateFields({ by }: ArticleOrder, missing: Pick<MissingFields, 'has'>): readonly DateField[] {
  if (missing.has(type.path, 'date')) return [{ name: 'publishedAt', conditions: [] }];
  if (by === 'date') return [{ name: 'date', conditions: [] }];
  return [
    { name: 'date', conditions: ['[date][$notNull]=true'] },
    { name: 'publishedAt', conditions: ['[date][$null]=true'] },
  ];
}

function daysOf(period: string): readonly [first: string, after: string] {
  const [year = '', month] = period.split('-');
  const next = Number(year) + 1;
  if (month === undefined) return [`${year}-01-01`, `${next}-01-01`];
  const after = MONTHS[Number(month)];
  return [`${period}-01`, after === undefined ? `${next}-01-01` : `${year}-${after}-01`];
}

function conditionsOf(
  { name, conditions }: DateField,
  period: string | null,
  publication: Publication,
): readonly string[] {
  const { hasCome } = publication;
  const all = [...conditions, ...(hasCome && name === 'date' ? [`[date]${hasCome()}`] : [])];
  if (period === null) return all;
  const operand = (day: string) => {
    const moment = publication.startOf(day);
    return encodeURIComponent(name === 'date' ? publication.operandOf(moment) : moment);
  };
  const [first, after] = daysOf(period);
  return [...all, `[${name}][$gte]=${operand(first)}`, `[${name}][$lt]=${operand(after)}`];
}

const filtersOf = (conditions: readonly string[], above = 'filters') =>
  conditions.map(condition => above + condition).join('&');

export function periodFilter(
  period: string,
  order: ArticleOrder,
  missing: Pick<MissingFields, 'has'>,
  publication: Publication,
): string {
  const alternatives = dateFields(order, missing).map(field => conditionsOf(field, period, publication));
  const above = (at: number) => (alternatives.length === 1 ? 'filters' : `filters[$or][${at}]`);
  return joined(
    filtersOf([HAS_CATEGORY]),
    ...alternatives.map((conditions, at) => filtersOf(conditions, above(at))),
    publication.planned(),
  );
}

/** Counts articles by period, as Strapi cannot. If the dates exceed one page, each period costs a call. */
export function createArticlePeriods({ missing, begin }: AnswerReader, publication: Publication) {
  function request(
    key: string,
    count: (call: Ask) => Promise<readonly PeriodCount[]>,
    provenance: (list: readonly PeriodCount[]) => ReturnType<typeof yearsProvenance>,
  ): ContentRequest<PeriodCounts> {
    return contentRequest<PeriodCounts>({
      ...{ key, type, begin },
      endsAt: publication.endsAt,
      isChoice: true,
      fetch: async call => [answerOf(await count(call))],
      decode: ([answer]) => ({ list: rowsOf(answer?.body)?.flatMap(row => countIn(row) ?? []) ?? [] }),
      provenance: ({ list }) => provenance(list),
    });
  }

  return {
    articleYears: (order: ArticleOrder) =>
      request(
        `${type.path}?years&by=${order.by}`,
        call => countYears({ call, order, missing, publication }),
        list => yearsProvenance(list, order.by === 'publishedAt'),
      ),
    articleMonths: (year: string, order: ArticleOrder) =>
      request(
        `${type.path}?months=${year}&by=${order.by}`,
        call => countMonths(year, { call, order, missing, publication }),
        list => monthsProvenance(year, list, order.by === 'publishedAt'),
      ),
  };
}

interface Counting {
  readonly call: Ask;
  readonly order: ArticleOrder;
  readonly missing: Pick<MissingFields, 'has'>;
  readonly publication: Publication;
}

async function countYears(counting: Counting): Promise<readonly PeriodCount[]> {
  const fields = dateFields(counting.order, counting.missing);
  const newest = await Promise.all(fields.map(field => dates(counting, field, null, 'desc', PAGE_SIZE)));
  if (newest.every(({ isWhole }) => isWhole)) return counted(newest, YEAR_LENGTH);
  const oldest = await Promise.all(fields.map(field => dates(counting, field, null, 'asc', 1)));
  const years = [...newest, ...oldest].flatMap(({ months }) =>
    months.map(month => Number.parseInt(month, 10)),
  );
  const [first, last] = [Math.min(...years), Math.max(...years)];
  const length = Math.min(MAX_YEARS, last - first + 1);
  const asked = Array.from({ length }, (_, at) => String(last - at));
  return countEach(counting, asked);
}

async function countMonths(year: string, counting: Counting): Promise<readonly PeriodCount[]> {
  const fields = dateFields(counting.order, counting.missing);
  const pages = await Promise.all(fields.map(field => dates(counting, field, year, 'desc', PAGE_SIZE)));
  if (pages.every(({ isWhole }) => isWhole)) return counted(pages, undefined);
  return countEach(
    counting,
    MONTHS.toReversed().map(month => `${year}-${month}`),
  );
}

async function countEach(counting: Counting, periods: readonly string[]): Promise<readonly PeriodCount[]> {
  const { order, missing, publication } = counting;
  const counts: PeriodCount[] = [];
  for (let at = 0; at < periods.length; at += CALLS_AT_A_TIME)
    counts.push(
      ...(await Promise.all(
        periods.slice(at, at + CALLS_AT_A_TIME).map(async period => {
          const { body } = await ask(counting, () =>
            joined(periodFilter(period, order, missing, publication), 'fields[0]=slug', pageOf(1, 1)),
          );
          return { period, count: paginationOf(body).total };
        }),
      )),
    );
  return counts.filter(({ count }) => count > 0);
}

async function dates(
  counting: Counting,
  field: DateField,
  period: string | null,
  direction: 'asc' | 'desc',
  size: number,
): Promise<{ readonly months: readonly string[]; readonly isWhole: boolean }> {
  const { publication } = counting;
  const { name } = field;
  const { body } = await ask(counting, () =>
    joined(
      filtersOf([HAS_CATEGORY, ...conditionsOf(field, period, publication)]),
      publication.planned(),
      `fields[0]=${name}&sort[0]=${name}:${direction}`,
      pageOf(1, size),
    ),
  );
  const rows = rowsIn(type, body);
  const months = rows.flatMap(row => publication.monthOf(row) ?? []);
  return { months, isWhole: paginationOf(body).total <= rows.length };
}

/** @param query called again if the backend refuses a field of dates. */
function ask({ call, publication }: Counting, query: () => string): Promise<JsonAnswer> {
  return publication.ask(() => call(callOf(type, query())));
}

/** @param length the length of a period's name: 4 for a year; undefined for a month. */
function counted(
  pages: readonly { readonly months: readonly string[] }[],
  length: number | undefined,
): readonly PeriodCount[] {
  const periods = Map.groupBy(
    pages.flatMap(({ months }) => months),
    month => month.slice(0, length),
  );
  return Array.from(periods, ([period, { length: count }]) => ({ period, count })).sort((a, b) =>
    a.period < b.period ? 1 : -1,
  );
}

/** Turns counts into an answer, for the disk and for other processes. */
function answerOf(data: readonly PeriodCount[]): JsonAnswer {
  const body = { data };
  return { text: JSON.stringify(body), body };
}

function countIn(row: unknown): PeriodCount | null {
  if (!isObject(row)) return null;
  const { period, count } = row;
  return typeof period === 'string' && typeof count === 'number' ? { period, count } : null;
}
