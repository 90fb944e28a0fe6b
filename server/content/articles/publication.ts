import { siteTypes } from '../../../site/types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { BeginDecoding } from '../../decode/decoding.ts';
import { callOf, joined, pageOf } from '../../wire/content-calls.ts';
import { entryOf, rowsOf } from '../../wire/wire.ts';
import { PAGE_SIZE } from '../lists/all-pages.ts';
import { type ContentRequest, contentRequest, type ReadContent } from '../requests/content-request.ts';
import type { MissingFields } from '../requests/missing-fields.ts';
import { nextDateProvenance } from '../tags/article-tags.ts';
import { isDay, momentIn, timeOf } from './site-time.ts';

/** The clock by which articles are published, in ms since the epoch. */
export interface PublicationClock {
  now(): number;
  /** The IANA time zone in which a day without a time begins. */
  timeZone(): string;
}

/** When the next article is published, in ms since the epoch; null if none waits. */
export interface NextDate {
  readonly at: number | null;
}

export interface Publication {
  /** Makes a call with the filter for published articles; without one for a backend without dates. */
  ask<T>(call: (filter: string) => Promise<T>): Promise<T>;
  filter(): string;
  /** The condition on a date that has come; null where articles are shown before their dates. */
  hasCome(): string | null;
  operandOf(date: string): string;
  /** @returns in ISO 8601, when a day such as `2026-11-01` begins in the site's zone. */
  startOf(day: string): string;
  /** @returns the month of an article in the site's zone, such as `2026-11`; null without a date. */
  monthOf(row: unknown): string | null;
  nextDate: (() => ContentRequest<NextDate>) | null;
  endsAt?: (read: ReadContent) => Promise<number | null>;
}

const type = siteTypes.article;
const DATE = { type: type.path, field: 'date', cost: type.fields.date.optional };
const DAY_LENGTH = '2026-11-24'.length;
const MONTH_LENGTH = '2026-11'.length;
/** How many newest dates are read once one of so few is known to have come. */
const NEWEST_DATES = 4;
const NO_ARTICLE = { text: '{"data":[]}', body: { data: [] } };

/** @param clock null for previews, which show articles before their dates and divide months by UTC. */
export function createPublication(
  { missing, begin }: { begin: BeginDecoding; missing: MissingFields },
  clock: PublicationClock | null,
): Publication {
  if (clock === null)
    return {
      ...{ ask: call => call(''), filter: () => '', hasCome: () => null },
      ...{ operandOf: date => date, nextDate: null },
      ...inZone(() => 'UTC'),
    };
  const { now, timeZone } = clock;
  /**
   * The form of the backend's dates. Strapi compares days with the first ten characters of a moment, with a
   * warning in its log: so moments serve until a date has shown the form.
   */
  let hasDays = false;
  let hasMoments = false;
  /** How many rows are asked for. The first call learns the form of the dates from many. */
  let most = PAGE_SIZE;
  const operand = () => {
    const moment = momentIn(now(), timeZone());
    return encodeURIComponent(hasDays ? moment.slice(0, DAY_LENGTH) : moment);
  };
  /** Reads dates in ms, and learns their form. A content folder may have both forms. */
  function timesIn(rows: readonly unknown[]): readonly number[] {
    const dates = rows.flatMap(row => {
      const date = entryOf(row)?.attributes.date;
      return typeof date === 'string' ? [date] : [];
    });
    hasMoments ||= !dates.every(isDay);
    if (dates.length > 0) hasDays = !hasMoments;
    return dates.map(date => timeOf(date, timeZone()));
  }
  const allRows = (answer: JsonAnswer) => rowsOf(answer.body) ?? [];
  const waitingIn = (times: readonly number[]) => times.filter(time => time > now());
  const someHaveCome = (times: readonly number[]) => waitingIn(times).length < times.length;
  const hasCome = () => `[$lte]=${operand()}`;
  const filter = () => `filters[$or][0][date][$null]=true&filters[$or][1][date]${hasCome()}`;

  const nextDate = () => ({
    ...contentRequest<NextDate>({
      key: `${type.path}?next-date`,
      type,
      isCount: true,
      async fetch(ask) {
        const dates = (query: string, most: number) =>
          ask(callOf(type, joined(query, 'fields[0]=date', pageOf(1, most))));
        return missing.either(
          DATE,
          async () => {
            // Without a filter the call also counts all articles, which shows the loss of most of them.
            const asked = most;
            const newest = await dates('sort[0]=date:desc', asked);
            const rows = allRows(newest);
            most = someHaveCome(timesIn(rows.slice(0, NEWEST_DATES))) ? NEWEST_DATES : PAGE_SIZE;
            if (rows.length < asked || someHaveCome(timesIn(rows))) return [newest];
            // All of these articles wait, or the database puts many articles without a date first.
            return [newest, await dates(`filters[date][$gt]=${operand()}&sort[0]=date:asc`, 1)];
          },
          async () => [NO_ARTICLE],
        );
      },
      begin,
      decode(answers) {
        const waiting = waitingIn(answers.flatMap(answer => timesIn(allRows(answer))));
        return { at: waiting.length > 0 ? Math.min(...waiting) : null };
      },
      provenance: nextDateProvenance,
    }),
    isChoice: true,
  });

  return {
    ask: call =>
      missing.either(
        DATE,
        () => call(filter()),
        () => call(''),
      ),
    hasCome,
    ...inZone(timeZone),
    operandOf: date => (hasDays ? date.slice(0, DAY_LENGTH) : date),
    filter: () => (missing.has(type.path, 'date') ? '' : filter()),
    nextDate,
    endsAt: async read => (await read(nextDate())).at,
  };
}

function inZone(timeZone: () => string): Pick<Publication, 'startOf' | 'monthOf'> {
  return {
    startOf: day => momentIn(timeOf(day, timeZone()), timeZone()),
    monthOf(row) {
      const { date, publishedAt } = entryOf(row)?.attributes ?? {};
      const shown = date ?? publishedAt;
      if (typeof shown !== 'string') return null;
      const time = timeOf(shown, timeZone());
      return Number.isNaN(time) ? null : momentIn(time, timeZone()).slice(0, MONTH_LENGTH);
    },
  };
}
