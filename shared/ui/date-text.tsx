import { SITE_LOCALE } from '../site-constants.ts';

const format = new Intl.DateTimeFormat(SITE_LOCALE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A date, formatted in UTC on both sides. A text that is not a date renders nothing. */
export function DateText({ date }: { date: string }) {
  const time = Date.parse(date);
  if (Number.isNaN(time)) return null;
  return <time dateTime={new Date(time).toISOString().slice(0, 10)}>{format.format(time)}</time>;
}
