import { BackOff } from '../ops/back-off.ts';
import type { MessageFile } from './outbox-files.ts';

/** A message becomes a dead letter this long after its arrival, in ms. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1_000;
/** A time without a running process counts in a message's age, unless it is longer than this, in ms. */
export const LONGEST_PAUSE_MS = 60 * 60 * 1_000;
const RETRIES = new BackOff(1_000, 10 * 60 * 1_000);
/** The delay before another look at a message that another process or the queue holds, in ms. */
const ELSEWHERE_MS = 5_000;
/** The delay grows by this for each waiting message, in ms, so the queue gets at most 200 calls a second. */
const ELSEWHERE_EACH_MS = 5;
/** File systems round times. A file's time counts as reset when it grew by more than this, in ms. */
const TIME_GRAIN_MS = 2_000;

interface Entry {
  since: number;
  attempts: number;
  dueAt: number;
  isInFlight: boolean;
  /** The file's time at the last reading of the folder, by the system's clock; null before the first. */
  fileTime: number | null;
}

export interface NextAttempt {
  attempts: number;
  delayMs: number;
}

export type Schedule = ReturnType<typeof createSchedule>;

/**
 * Plans the next attempt of each message. The plan is only in memory: a new process tries every message at
 * once. Times are in ms since the epoch, and null without a message.
 * @param random returns numbers from 0 to 1 for the jitter. @param pace divides the delays, for tests.
 */
export function createSchedule(random: () => number = Math.random, pace = 1) {
  const entries = new Map<string, Entry>();

  function minimum(of: (entry: Entry) => number): number | null {
    let least = Number.POSITIVE_INFINITY;
    for (const entry of entries.values()) least = Math.min(least, of(entry));
    return least === Number.POSITIVE_INFINITY ? null : least;
  }

  let isFirstReading = true;

  function add(id: string, since: number, dueAt: number, fileTime: number | null): void {
    entries.set(id, { since, attempts: 0, dueAt, isInFlight: false, fileTime });
  }

  return {
    get size() {
      return entries.size;
    },
    get oldest() {
      return minimum(({ since }) => since);
    },
    get nextAt() {
      return minimum(({ isInFlight, dueAt }) => (isInFlight ? Number.POSITIVE_INFINITY : dueAt));
    },
    add({ id, since }: MessageFile): void {
      // The folder may have been read since the message was written.
      if (!entries.has(id)) add(id, since, since, null);
    },

    /**
     * Adds new messages, removes missing ones, and restarts messages whose file's time was reset. The first
     * reading uses the age of files. Later ones use only changed times, because the system's clock may jump.
     * @param listedAt a time before the folder was read. A message that was added later is not missing.
     */
    reconcile(files: readonly MessageFile[], listedAt: number): void {
      const found = new Set(files.map(({ id }) => id));
      for (const [id, { isInFlight, since }] of entries)
        if (!isInFlight && since < listedAt && !found.has(id)) entries.delete(id);
      for (const file of files) {
        const known = entries.get(file.id);
        const time = file.since;
        if (!known) add(file.id, isFirstReading ? Math.min(time, listedAt) : listedAt, listedAt, time);
        else if (known.fileTime === null) known.fileTime = time;
        else if (!known.isInFlight && time > known.fileTime + TIME_GRAIN_MS)
          add(file.id, listedAt, listedAt, time);
      }
      isFirstReading = false;
    },

    startNext(now: number): string | null {
      let first: [id: string, entry: Entry] | null = null;
      for (const [id, entry] of entries) {
        if (entry.isInFlight || entry.dueAt > now) continue;
        if (first === null || entry.dueAt < first[1].dueAt) first = [id, entry];
      }
      if (first === null) return null;
      first[1].isInFlight = true;
      return first[0];
    },

    remove: (id: string) => void entries.delete(id),

    /** Delays a message that another process or the queue already holds. No attempt is counted. */
    postpone(id: string, now: number): void {
      const entry = entries.get(id);
      const delayMs = Math.max(ELSEWHERE_MS, entries.size * ELSEWHERE_EACH_MS);
      if (entry) Object.assign(entry, { isInFlight: false, dueAt: now + delayMs / pace });
    },

    expedite(id: string, now: number): void {
      const entry = entries.get(id);
      if (entry && !entry.isInFlight) entry.dueAt = now;
    },

    failed(id: string, now: number): NextAttempt | null {
      const entry = entries.get(id);
      const next = entry ? nextAttempt(entry, now, random(), pace) : null;
      if (!entry || !next) return null;
      const { attempts, delayMs } = next;
      Object.assign(entry, { isInFlight: false, attempts, dueAt: now + delayMs });
      return next;
    },
  };
}

/** `since` and `now` are in ms since the epoch. @returns null after GIVE_UP_AFTER_MS. */
export function nextAttempt(
  { since, attempts }: { since: number; attempts: number },
  now: number,
  random: number,
  pace: number,
): NextAttempt | null {
  if (now - since >= GIVE_UP_AFTER_MS) return null;
  // The last attempt is made exactly when GIVE_UP_AFTER_MS ends.
  const delayMs = Math.min(retryDelay(attempts + 1, random) / pace, since + GIVE_UP_AFTER_MS - now);
  return { attempts: attempts + 1, delayMs };
}

/** @returns 1 s, 2 s, 4 s … 10 min, less a random part of up to a half. */
export function retryDelay(attempts: number, random: number): number {
  return Math.round(RETRIES.after(attempts) * (1 - random / 2));
}
