import { siteTypes } from '../../../site/types.ts';
import type { BeginDecoding } from '../../decode/decoding.ts';
import { earlier } from '../../decode/shown-dates.ts';
import { isDay, momentIn, type PublicationClock, timeOf } from '../../decode/site-time.ts';
import { callOf, joined, pageOf, paginationOf } from '../../wire/content-calls.ts';
import { entryOf, rowsOfAll } from '../../wire/wire.ts';
import { PAGE_SIZE } from '../lists/all-pages.ts';
import { emptyAnswer } from '../requests/answer-meaning.ts';
import type { OptionalField } from '../requests/content-query.ts';
import { contentRequest, type ReadContent } from '../requests/content-request.ts';
import type { MissingFields } from '../requests/missing-fields.ts';
import { NEXT_DATE } from '../tags/article-tags.ts';
import { tagNames } from '../tags/content-tags.ts';
import { comparedProvenance } from '../tags/provenance.ts';

/** In ms since the epoch: when an article next appears or disappears (`at`) or disappears (`withdrawnAt`). */
export interface NextDate {
  readonly at: number | null;
  readonly withdrawnAt: number | null;
}

export type Publication = ReturnType<typeof createPublication>;

const type = siteTypes.article;
const DATE = { type: type.path, field: 'date', cost: type.fields.date.optional };
const FROM = { type: type.path, field: 'publishAt', cost: type.fields.publishAt.optional };
const UNTIL = { type: type.path, field: 'unpublishAt', cost: type.fields.unpublishAt.optional };
const PLANNED = [FROM, UNTIL];
const DAY_LENGTH = '2026-11-24'.length;
const MONTH_LENGTH = '2026-11'.length;
const SECOND_MS = 1_000;
/** How many of the newest dates to read. If all were in the future last time, a whole page is read. */
const NEWEST_DATES = 4;

/** @param clock null for previews, which ignore publication dates and use UTC for months. */
export function createPublication(
  { missing, begin }: { begin: BeginDecoding; missing: MissingFields },
  clock: PublicationClock | null,
) {
  const { now, timeZone } = clock ?? { now: Date.now, timeZone: () => 'UTC' };
  /**
   * Whether the backend's dates are days without a time. Strapi also compares days with times, but logs a
   * warning. So the filter uses times until a response shows that the dates are days.
   */
  let hasDays = false;
  let hasMoments = false;
  /** The number of rows to request. The first call reads many, to learn the format of the dates. */
  let most = PAGE_SIZE;
  const moment = (at = now()) => encodeURIComponent(momentIn(at, timeZone()));
  /** The present time, rounded up to whole seconds, so that nothing is shown after its `unpublishAt`. */
  const momentAfter = () => moment(now() + SECOND_MS - 1);
  const operand = () => (hasDays ? momentIn(now(), timeZone()).slice(0, DAY_LENGTH) : moment());
  /** @returns dates in ms since the epoch. Learns their format: a content folder may mix days and times. */
  function timesIn(rows: readonly unknown[]): readonly number[] {
    const dates = rows.flatMap(row => {
      const date = entryOf(row)?.attributes.date;
      return typeof date === 'string' ? [date] : [];
    });
    hasMoments ||= !dates.every(isDay);
    if (dates.length > 0) hasDays = !hasMoments;
    return dates.map(date => timeOf(date, timeZone()));
  }
  const momentsIn = (rows: readonly unknown[], field: string) =>
    rows.flatMap(row => {
      const moment = entryOf(row)?.attributes[field];
      return typeof moment === 'string' ? [timeOf(moment, timeZone())] : [];
    });
  const isWaiting = (time: number) => time > now();
  const hasCome = () => `[$lte]=${operand()}`;
  const isKnown = ({ type, field }: OptionalField) => clock !== null && !missing.has(type, field);
  const planned = () =>
    PLANNED.filter(isKnown)
      .map(({ field }, at) => {
        const either = `filters[$and][${at}][$or]`;
        const condition = field === FROM.field ? `[$lte]=${moment()}` : `[$gt]=${momentAfter()}`;
        return `${either}[0][${field}][$null]=true&${either}[1][${field}]${condition}`;
      })
      .join('&');
  const byDate = () =>
    isKnown(DATE) ? `filters[$or][0][date][$null]=true&filters[$or][1][date]${hasCome()}` : '';
  const filter = () => joined(byDate(), planned());

  const nextDate = () =>
    contentRequest<NextDate>({
      key: `${type.path}?next-date`,
      type,
      isCount: true,
      isChoice: true,
      async fetch(ask) {
        const dates = (query: string, most: number) =>
          ask(callOf(type, joined(query, 'fields[0]=date', pageOf(1, most))));
        const later = (fields: readonly OptionalField[], sort: string, most: number) => {
          const filters = fields.map(({ field }, at) => `filters[$or][${at}][${field}][$gt]=${moment()}`);
          const names = fields.map(({ field }, at) => `fields[${at}]=${field}`);
          return ask(callOf(type, joined(...filters, ...names, sort, pageOf(1, most))));
        };
        /** Reads the future times: all of them, or the earliest of each field if they exceed one page. */
        const plannedLater = async () => {
          const fields = PLANNED.filter(isKnown);
          if (fields.length === 0) return [];
          const all = await later(fields, '', PAGE_SIZE);
          if (paginationOf(all.body).total <= PAGE_SIZE) return [all];
          return Promise.all(fields.map(field => later([field], `sort[0]=${field.field}:asc`, 1)));
        };
        const waiting = withKnownFields(PLANNED, plannedLater);
        const newest = missing.either(
          DATE,
          async () => {
            // Without a filter, the call also counts all articles, which reveals a loss of most of them.
            const asked = most;
            const newest = await dates('sort[0]=date:desc', asked);
            const rows = rowsOfAll([newest]);
            most = timesIn(rows.slice(0, NEWEST_DATES)).every(isWaiting) ? PAGE_SIZE : NEWEST_DATES;
            if (rows.length < asked || !timesIn(rows).every(isWaiting)) return [newest];
            // Filter by date: all these dates are in the future, or the database sorts missing ones first.
            return [newest, await dates(`filters[date][$gt]=${operand()}&sort[0]=date:asc`, 1)];
          },
          async () => [emptyAnswer(type)],
        );
        return (await Promise.all([newest, waiting])).flat();
      },
      begin,
      decode(answers) {
        const rows = rowsOfAll(answers);
        const next = (times: readonly number[]) => {
          const waiting = times.filter(isWaiting);
          return waiting.length > 0 ? Math.min(...waiting) : null;
        };
        const withdrawnAt = next(momentsIn(rows, UNTIL.field));
        const published = next([...timesIn(rows), ...momentsIn(rows, FROM.field)]);
        return { at: earlier(published, withdrawnAt), withdrawnAt };
      },
      provenance: next => comparedProvenance(NEXT_DATE, tagNames.lists(type.path), next),
    });

  function withKnownFields<T>(
    [field, ...others]: readonly OptionalField[],
    call: () => Promise<T>,
  ): Promise<T> {
    const inner = () => withKnownFields(others, call);
    return field ? missing.either(field, inner, inner) : call();
  }

  return {
    /** Calls with the filter for published articles; without it for a backend without dates. */
    ask: <T>(call: (filter: string) => Promise<T>) =>
      withKnownFields([DATE, ...PLANNED], () => call(filter())),
    /** Like `ask`, for single articles. Their decoder checks `publishAt` and `unpublishAt`. */
    askByDate: <T>(call: (filter: string) => Promise<T>) => withKnownFields([DATE], () => call(byDate())),
    filter,
    planned,
    /** The condition for a past date; null in previews, which show articles before their dates. */
    hasCome: clock && hasCome,
    operandOf: (date: string) => (hasDays ? date.slice(0, DAY_LENGTH) : date),
    nextDate: clock && nextDate,
    endsAt: clock ? async (read: ReadContent) => (await read(nextDate())).at : undefined,
    /** @returns the start of a day such as `2026-11-01` in the site's zone, in ISO 8601. */
    startOf: (day: string) => momentIn(timeOf(day, timeZone()), timeZone()),
    /** @returns an article's month in the site's zone, such as `2026-11`; null without a date. */
    monthOf(row: unknown): string | null {
      const { date, publishedAt } = entryOf(row)?.attributes ?? {};
      const shown = date ?? publishedAt;
      if (typeof shown !== 'string') return null;
      const time = timeOf(shown, timeZone());
      return Number.isNaN(time) ? null : momentIn(time, timeZone()).slice(0, MONTH_LENGTH);
    },
  };
}
