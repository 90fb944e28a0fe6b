import { SITE_LOCALE } from '../site-constants.ts';

const format = new Intl.DateTimeFormat(SITE_LOCALE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A day, in UTC wherever it is rendered. Nothing for what is no date. */
export function DateText({ date }: { date: string }) {
  const time = Date.parse(date);
  if (Number.isNaN(time)) return null;
  return <time dateTime={new Date(time).toISOString().slice(0, 10)}>{format.format(time)}</time>;
}
