import { siteTypes } from '../../../site/types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { callOf, joined, pageOf, paginationOf, rowsIn } from '../../wire/content-calls.ts';
import { isObject, rowsOf } from '../../wire/wire.ts';
import { PAGE_SIZE } from '../lists/all-pages.ts';
import type { ArticleOrder, PeriodCount } from '../reading/read-values.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import { type Ask, type ContentRequest, contentRequest } from '../requests/content-request.ts';
import { monthsProvenance, yearsProvenance } from '../tags/article-tags.ts';
import type { Publication } from './publication.ts';

const type = siteTypes.article;
const YEAR_LENGTH = '2026'.length;
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'));
/** Limit for the archive's years, newest first. Each may cost a call, and a typo (1026) may add many. */
const MAX_YEARS = 60;
const CALLS_AT_A_TIME = 6;
/** A filter for articles with a category. Others have no address, so no list shows them. */
const HAS_CATEGORY = '[category][id][$notNull]=true';

interface DateField {
  readonly name: 'date' | 'publishedAt';
  readonly conditions: readonly string[];
}

function daysOf(period: string): readonly [first: string, after: string] {
  const [year = '', month] = period.split('-');
  const next = Number(year) + 1;
  if (month === undefined) return [`${year}-01-01`, `${next}-01-01`];
  const after = MONTHS[Number(month)];
  return [`${period}-01`, after === undefined ? `${next}-01-01` : `${year}-${after}-01`];
}

const filtersOf = (conditions: readonly string[], above = 'filters') =>
  conditions.map(condition => above + condition).join('&');

/** Counts articles by period, which Strapi cannot do. If dates exceed a page, each period costs a call. */
export function createArticlePeriods({ missing, begin }: AnswerReader, publication: Publication) {
  /** Lists the date fields. `publishedAt` stands in for a missing `date`. */
  function dateFields({ by }: ArticleOrder): readonly DateField[] {
    if (missing.has(type.path, 'date')) return [{ name: 'publishedAt', conditions: [] }];
    if (by === 'date') return [{ name: 'date', conditions: [] }];
    return [
      { name: 'date', conditions: ['[date][$notNull]=true'] },
      { name: 'publishedAt', conditions: ['[date][$null]=true'] },
    ];
  }

  function conditionsOf({ name, conditions }: DateField, period: string | null): readonly string[] {
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

  function periodFilter(period: string, order: ArticleOrder): string {
    const alternatives = dateFields(order).map(field => conditionsOf(field, period));
    const above = (at: number) => (alternatives.length === 1 ? 'filters' : `filters[$or][${at}]`);
    return joined(
      filtersOf([HAS_CATEGORY]),
      ...alternatives.map((conditions, at) => filtersOf(conditions, above(at))),
      publication.planned(),
    );
  }

  /** @param query called again if the backend refuses a date field. */
  const askWith = (ask: Ask, query: () => string) => publication.ask(() => ask(callOf(type, query())));

  function datesOf(ask: Ask, order: ArticleOrder, period: string | null, sort: string, size: number) {
    return Promise.all(
      dateFields(order).map(async field => {
        const { body } = await askWith(ask, () =>
          joined(
            filtersOf([HAS_CATEGORY, ...conditionsOf(field, period)]),
            publication.planned(),
            `fields[0]=${field.name}&sort[0]=${field.name}:${sort}`,
            pageOf(1, size),
          ),
        );
        const rows = rowsIn(type, body);
        const months = rows.flatMap(row => publication.monthOf(row) ?? []);
        return { months, isWhole: paginationOf(body).total <= rows.length };
      }),
    );
  }

  async function countEach(ask: Ask, order: ArticleOrder, periods: readonly string[]) {
    const counts: PeriodCount[] = [];
    for (let at = 0; at < periods.length; at += CALLS_AT_A_TIME)
      counts.push(
        ...(await Promise.all(
          periods.slice(at, at + CALLS_AT_A_TIME).map(async period => {
            const { body } = await askWith(ask, () =>
              joined(periodFilter(period, order), 'fields[0]=slug', pageOf(1, 1)),
            );
            return { period, count: paginationOf(body).total };
          }),
        )),
      );
    return counts.filter(({ count }) => count > 0);
  }

  async function countYears(ask: Ask, order: ArticleOrder): Promise<readonly PeriodCount[]> {
    const newest = await datesOf(ask, order, null, 'desc', PAGE_SIZE);
    if (newest.every(({ isWhole }) => isWhole)) return counted(newest, YEAR_LENGTH);
    const oldest = await datesOf(ask, order, null, 'asc', 1);
    const years = [...newest, ...oldest].flatMap(({ months }) =>
      months.map(month => Number.parseInt(month, 10)),
    );
    const [first, last] = [Math.min(...years), Math.max(...years)];
    const length = Math.min(MAX_YEARS, last - first + 1);
    const asked = Array.from({ length }, (_, at) => String(last - at));
    return countEach(ask, order, asked);
  }

  async function countMonths(ask: Ask, order: ArticleOrder, year: string): Promise<readonly PeriodCount[]> {
    const pages = await datesOf(ask, order, year, 'desc', PAGE_SIZE);
    if (pages.every(({ isWhole }) => isWhole)) return counted(pages, undefined);
    const months = MONTHS.toReversed().map(month => `${year}-${month}`);
    return countEach(ask, order, months);
  }

  function request(
    key: string,
    count: (ask: Ask) => Promise<readonly PeriodCount[]>,
    provenance: (list: readonly PeriodCount[]) => ReturnType<typeof yearsProvenance>,
  ): ContentRequest<readonly PeriodCount[]> {
    return contentRequest<readonly PeriodCount[]>({
      ...{ key, type, begin },
      endsAt: publication.endsAt,
      isChoice: true,
      fetch: async ask => [answerOf(await count(ask))],
      decode: ([answer]) => rowsOf(answer?.body)?.flatMap(row => countIn(row) ?? []) ?? [],
      provenance,
    });
  }

  return {
    periodFilter,
    articleYears: (order: ArticleOrder) =>
      request(
        `${type.path}?years&by=${order.by}`,
        ask => countYears(ask, order),
        list => yearsProvenance(list, order),
      ),
    articleMonths: (year: string, order: ArticleOrder) =>
      request(
        `${type.path}?months=${year}&by=${order.by}`,
        ask => countMonths(ask, order, year),
        list => monthsProvenance(year, list, order),
      ),
  };
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

/** Turns counts into a response like the backend's, for the disk and for other processes. */
function answerOf(data: readonly PeriodCount[]): JsonAnswer {
  const body = { data };
  return { text: JSON.stringify(body), body };
}

function countIn(row: unknown): PeriodCount | null {
  if (!isObject(row)) return null;
  const { period, count } = row;
  return typeof period === 'string' && typeof count === 'number' ? { period, count } : null;
}
