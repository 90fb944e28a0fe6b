import { SITE_LOCALE } from '../site-constants.ts';

/** Created at the first use: a browser that keeps the server's markup needs none. */
let format: Intl.DateTimeFormat | null = null;
const createFormat = () =>
  new Intl.DateTimeFormat(SITE_LOCALE, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A date, formatted in UTC on both sides. A text that is not a date renders nothing. */
export function DateText({ date }: { date: string }) {
  const time = Date.parse(date);
  if (Number.isNaN(time)) return null;
  format ??= createFormat();
  return <time dateTime={new Date(time).toISOString().slice(0, 10)}>{format.format(time)}</time>;
}
