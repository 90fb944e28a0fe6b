import { contentTypes } from '../../../shared/content/content-types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { callOf, joined, malformed, pageOf, paginationOf } from '../content-calls.ts';
import { type Ask, type ContentRequest, contentRequest } from '../content-request.ts';
import { isObject, rowsOf } from '../decode/wire.ts';
import type { MissingFields } from '../missing-fields.ts';
import { PAGE_SIZE } from './all-pages.ts';
import type { ArticleOrder } from './article-order.ts';
import { monthsProvenance, type PeriodCount, yearsProvenance } from './period-tags.ts';
import type { Publication } from './publication.ts';

export interface PeriodCounts {
  readonly list: readonly PeriodCount[];
}

const type = contentTypes.article;
const YEAR_LENGTH = '2026'.length;
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'));
/** Most years of the archive, the newest. Each may cost a call, and a mistyped date may be a thousand years old. */
const MAX_YEARS = 60;
/** Counts that are asked for at a time. */
const CALLS_AT_A_TIME = 6;
/** An article without a category has no address, so no list shows it. */
const HAS_CATEGORY = '[category][id][$notNull]=true';

/** The field by which articles belong to a period, with the conditions for articles that are shown with it. */
interface DateField {
  readonly name: 'date' | 'publishedAt';
  readonly conditions: readonly string[];
}

/** An article is shown with its `date`, else with `publishedAt`. */
function dateFields({ by }: ArticleOrder, missing: Pick<MissingFields, 'has'>): readonly DateField[] {
  if (missing.has(type.path, 'date')) return [{ name: 'publishedAt', conditions: [] }];
  if (by === 'date') return [{ name: 'date', conditions: [] }];
  return [
    { name: 'date', conditions: ['[date][$notNull]=true'] },
    { name: 'publishedAt', conditions: ['[date][$null]=true'] },
  ];
}

/** @returns the first day of a period, and the first day after it. */
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
  const hasCome = name === 'date' ? publication.hasCome() : null;
  const all = [...conditions, ...(hasCome === null ? [] : [`[date]${hasCome}`])];
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

/** @returns the filter of a query for the published articles of a period that have an address. */
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
  );
}

/** The requests for the numbers of articles in periods. */
export interface ArticlePeriods {
  /** The years with articles, the newest first. */
  articleYears(order: ArticleOrder): ContentRequest<PeriodCounts>;
  /** The months of a year with articles, the newest first. */
  articleMonths(year: string, order: ArticleOrder): ContentRequest<PeriodCounts>;
}

/**
 * Strapi has no counts by group. If one page has the dates of all articles of a year, or of the site, they are counted here; else there is one
 * call for each year, or month, whose answer has nothing but the number.
 */
export function createArticlePeriods(
  { missing, begin }: AnswerReader,
  publication: Publication,
): ArticlePeriods {
  /** @param query called again if the backend refuses dates. */
  const ask = (call: Ask, query: () => string) => publication.ask(() => call(callOf(type, query())));

  /** Reads the months of dates. */
  async function dates(
    call: Ask,
    field: DateField,
    period: string | null,
    direction: 'asc' | 'desc',
    size: number,
  ): Promise<{ readonly months: readonly string[]; readonly isWhole: boolean }> {
    const { name } = field;
    const { body } = await ask(call, () =>
      joined(
        filtersOf([HAS_CATEGORY, ...conditionsOf(field, period, publication)]),
        `fields[0]=${name}&sort[0]=${name}:${direction}`,
        pageOf(1, size),
      ),
    );
    const rows = rowsOf(body);
    if (!rows) throw malformed(type, 'the answer holds no list');
    const months = rows.flatMap(row => publication.monthOf(row) ?? []);
    return { months, isWhole: paginationOf(body).total <= rows.length };
  }

  async function countEach(
    call: Ask,
    periods: readonly string[],
    order: ArticleOrder,
  ): Promise<readonly PeriodCount[]> {
    const counts: PeriodCount[] = [];
    for (let at = 0; at < periods.length; at += CALLS_AT_A_TIME)
      counts.push(
        ...(await Promise.all(
          periods.slice(at, at + CALLS_AT_A_TIME).map(async period => {
            const { body } = await ask(call, () =>
              joined(periodFilter(period, order, missing, publication), 'fields[0]=slug', pageOf(1, 1)),
            );
            return { period, count: paginationOf(body).total };
          }),
        )),
      );
    return counts.filter(({ count }) => count > 0);
  }

  async function countYears(call: Ask, order: ArticleOrder): Promise<readonly PeriodCount[]> {
    const fields = dateFields(order, missing);
    const newest = await Promise.all(fields.map(field => dates(call, field, null, 'desc', PAGE_SIZE)));
    if (newest.every(({ isWhole }) => isWhole)) return counted(newest, YEAR_LENGTH);
    const oldest = await Promise.all(fields.map(field => dates(call, field, null, 'asc', 1)));
    const years = [...newest, ...oldest].flatMap(({ months }) =>
      months.map(month => Number.parseInt(month, 10)),
    );
    const [first, last] = [Math.min(...years), Math.max(...years)];
    const length = Math.min(MAX_YEARS, last - first + 1);
    const asked = Array.from({ length }, (_, at) => String(last - at));
    return countEach(call, asked, order);
  }

  async function countMonths(call: Ask, year: string, order: ArticleOrder): Promise<readonly PeriodCount[]> {
    const fields = dateFields(order, missing);
    const pages = await Promise.all(fields.map(field => dates(call, field, year, 'desc', PAGE_SIZE)));
    if (pages.every(({ isWhole }) => isWhole)) return counted(pages, undefined);
    return countEach(
      call,
      MONTHS.toReversed().map(month => `${year}-${month}`),
      order,
    );
  }

  function request(
    key: string,
    count: (call: Ask) => Promise<readonly PeriodCount[]>,
    provenance: (list: readonly PeriodCount[]) => ReturnType<typeof yearsProvenance>,
  ): ContentRequest<PeriodCounts> {
    return {
      ...contentRequest<PeriodCounts, PeriodCounts>({
        ...{ key, type, begin },
        endsAt: publication.endsAt,
        fetch: async call => [answerOf(await count(call))],
        decode: ([answer]) => ({ list: rowsOf(answer?.body)?.flatMap(row => countIn(row) ?? []) ?? [] }),
        index: value => value,
        provenance: ({ list }) => provenance(list),
      }),
      // Fewer years or months than before are no loss of entries.
      isChoice: true,
    };
  }

  return {
    articleYears: order =>
      request(
        `articles?years&by=${order.by}`,
        call => countYears(call, order),
        list => yearsProvenance(list, order.by === 'publishedAt'),
      ),
    articleMonths: (year, order) =>
      request(
        `articles?months=${year}&by=${order.by}`,
        call => countMonths(call, year, order),
        list => monthsProvenance(year, list, order.by === 'publishedAt'),
      ),
  };
}

/** @param length the characters of a month that name the period: all, or those of its year. */
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

/** @returns counts in the form of an answer, which the disk and other processes keep like one. */
function answerOf(data: readonly PeriodCount[]): JsonAnswer {
  const body = { data };
  return { text: JSON.stringify(body), body };
}

function countIn(row: unknown): PeriodCount | null {
  if (!isObject(row)) return null;
  const { period, count } = row;
  return typeof period === 'string' && typeof count === 'number' ? { period, count } : null;
}
