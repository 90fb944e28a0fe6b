import { steadyNow } from '../ops/steady-clock.ts';
import type { DecodeContext } from '../wire/decode-context.ts';
import { dateAt } from './decode-fields.ts';
import { type PublicationClock, timeOf } from './site-time.ts';

/** When content changes by its dates alone, in ms since the epoch; null for never. */
export interface ShownDates {
  readonly endsAt: number | null;
  /** When a part of the content may no longer be shown. */
  readonly withdrawnAt: number | null;
}

export const NO_DATES: ShownDates = { endsAt: null, withdrawnAt: null };

export function earlierDates(a: ShownDates, b: ShownDates): ShownDates {
  return {
    endsAt: earlier(a.endsAt, b.endsAt),
    withdrawnAt: earlier(a.withdrawnAt, b.withdrawnAt),
  };
}

export function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/**
 * Leaves out a change in the past: it takes effect when the content is loaded again.
 * @returns the dates by the clock of the caches.
 */
export function comingDates({ endsAt, withdrawnAt }: ShownDates): ShownDates {
  const ahead = steadyNow() - Date.now();
  const isComing = endsAt !== null && endsAt > Date.now();
  return {
    endsAt: isComing ? endsAt + ahead : null,
    withdrawnAt: withdrawnAt === null ? null : withdrawnAt + ahead,
  };
}

/** @returns whether `publishAt` and `unpublishAt` allow an entry now, and when that changes. */
export function shownBy(
  { publishAt, unpublishAt }: Readonly<Record<string, unknown>>,
  { now, timeZone }: PublicationClock,
  at: (field: string) => DecodeContext,
): { isShown: boolean; dates: ShownDates } {
  const timeAt = (value: unknown, field: string) =>
    typeof value === 'string' && dateAt(value, at(field)) !== null ? timeOf(value, timeZone()) : null;
  const [from, until] = [timeAt(publishAt, 'publishAt'), timeAt(unpublishAt, 'unpublishAt')];
  const time = now();
  if (until !== null && until <= time) return { isShown: false, dates: NO_DATES };
  if (from !== null && from > time) return { isShown: false, dates: { endsAt: from, withdrawnAt: null } };
  return { isShown: true, dates: { endsAt: until, withdrawnAt: until } };
}
