/** The clock for publishing content, in ms since the epoch. */
export interface PublicationClock {
  now(): number;
  timeZone(): string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(at: number, timeZone: string): string {
  // Skip `Intl` for the default zone, because its first format takes 10 ms.
  if (timeZone === 'UTC') return '+00:00';
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // Offsets before standard time have seconds. `GMT` alone means the offset 0.
  return name.slice('GMT'.length, 'GMT+02:00'.length) || '+00:00';
}

/** @returns a time with the offset of a time zone, such as `2026-11-24T01:30:00+02:00`. */
export function momentIn(at: number, timeZone: string): string {
  const offset = offsetAt(at, timeZone);
  return new Date(at + msOf(offset)).toISOString().slice(0, '2026-11-24T01:30:00'.length) + offset;
}

function msOf(offset: string): number {
  return Date.parse('1970-01-01T00:00:00Z') - Date.parse(`1970-01-01T00:00:00${offset}`);
}

const BARE_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A time without an offset, as editors write it in a content file. */
const BARE_MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)$/;

export function isDay(date: string): boolean {
  return BARE_DAY.test(date);
}

/** @returns ms since the epoch; NaN for another text. A time without an offset is in the time zone. */
export function timeOf(date: string, timeZone: string): number {
  const [, day, time] = BARE_MOMENT.exec(date) ?? [];
  if (day !== undefined) return atLocal(`${day}T${time}Z`, timeZone);
  return isDay(date) ? atLocal(`${date}T00:00:00Z`, timeZone) : Date.parse(date);
}

const MIDNIGHT = 'T00:00:00.000Z';

/** @param date as decoded. 00:00 UTC marks a date without a time. */
export function beginOf(date: string, timeZone: string): string {
  if (!date.endsWith(MIDNIGHT)) return date;
  return new Date(atLocal(date, timeZone)).toISOString();
}

/** @param moment a local time, written as if it were UTC. @returns ms since the epoch; NaN if invalid. */
function atLocal(moment: string, timeZone: string): number {
  const utc = Date.parse(moment);
  if (Number.isNaN(utc)) return utc;
  // Compute twice, because the first guess may be on the other side of a clock change.
  const guess = utc - msOf(offsetAt(utc, timeZone));
  return utc - msOf(offsetAt(guess, timeZone));
}
