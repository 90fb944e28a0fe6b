import { describe, expect, it } from 'vitest';
import { beginOf, momentIn, timeOf } from '../../server/decode/site-time.ts';

it.for([
  ['2026-11-23T23:30:00.900Z', 'Europe/Berlin', '2026-11-24T00:30:00+01:00'],
  ['2026-07-01T12:00:00Z', 'America/St_Johns', '2026-07-01T09:30:00-02:30'],
  ['2026-07-01T00:00:00Z', 'UTC', '2026-07-01T00:00:00+00:00'],
] as const)('the time %s in %s is the local time %s', ([moment, zone, local]) => {
  expect(momentIn(Date.parse(moment), zone)).toBe(local);
});

it.for([
  ['2026-11-24', 'Europe/Berlin', '2026-11-23T23:00:00.000Z'],
  // Daylight saving time changes at two in the morning of this day.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-11-24', 'Asia/Kathmandu', '2026-11-23T18:15:00.000Z'],
  ['2026-11-24', 'Pacific/Kiritimati', '2026-11-23T10:00:00.000Z'],
] as const)('the day %s begins in %s at %s', ([day, zone, moment]) => {
  expect(new Date(timeOf(day, zone)).toISOString()).toBe(moment);
});

describe('the beginning of a decoded date', () => {
  it.for([
    ['2026-10-08T00:00:00.000Z', 'America/New_York', '2026-10-08T04:00:00.000Z'],
    ['2026-10-08T00:00:00.000Z', 'Pacific/Kiritimati', '2026-10-07T10:00:00.000Z'],
    ['2026-10-08T00:00:00.000Z', 'UTC', '2026-10-08T00:00:00.000Z'],
    ['2026-10-08T09:30:00.000Z', 'America/New_York', '2026-10-08T09:30:00.000Z'],
  ] as const)('the decoded date %s begins in %s at %s', ([date, zone, moment]) => {
    expect(beginOf(date, zone)).toBe(moment);
  });
});
