const MS_PER_MINUTE = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** @returns the local time of a zone at a moment, as if it were UTC, in ms of whole seconds. */
function localTime(at: number, timeZone: string): number {
  // The default zone. `Intl` takes 10 ms for the first format of a process.
  if (timeZone === 'UTC') return Math.floor(at / 1_000) * 1_000;
  const known = formats.get(timeZone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  if (!known) formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

function offsetAt(at: number, timeZone: string): number {
  return localTime(at, timeZone) - Math.floor(at / 1_000) * 1_000;
}

/** @returns a moment with the offset of a time zone, such as `2026-11-24T01:30:00+02:00`. */
export function momentIn(at: number, timeZone: string): string {
  const minutes = Math.round(offsetAt(at, timeZone) / MS_PER_MINUTE);
  const two = (value: number) => String(value).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return new Date(localTime(at, timeZone)).toISOString().slice(0, 19) + offset;
}

const BARE_DAY = /^\d{4}-\d{2}-\d{2}$/;

export function isDay(date: string): boolean {
  return BARE_DAY.test(date);
}

/** @returns ms since the epoch. A day without a time begins at 00:00 in the time zone. */
export function timeOf(date: string, timeZone: string): number {
  return isDay(date) ? startOfDay(date, timeZone) : Date.parse(date);
}

/** Ends a decoded date that is a day without a time. */
const MIDNIGHT = 'T00:00:00.000Z';

/** @param date as decoded; 00:00 UTC marks a day without a time. */
export function beginOf(date: string, timeZone: string): string {
  if (!date.endsWith(MIDNIGHT)) return date;
  return new Date(startOfDay(date.slice(0, -MIDNIGHT.length), timeZone)).toISOString();
}

/** @returns ms since the epoch; NaN for a day that does not exist. */
function startOfDay(day: string, timeZone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utc)) return utc;
  // The first guess may have the offset of the other side of a clock change.
  const guess = utc - offsetAt(utc, timeZone);
  return utc - offsetAt(guess, timeZone);
}
