import type { MessageFile } from './outbox-files.ts';

/** Attempts end this long after the message came, in ms. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 10 * 60 * 1_000;
/** Delay until a message is looked at again that another process or the queue has, in ms. */
const ELSEWHERE_MS = 5_000;
/** With many waiting messages the delay grows by this for each of them, in ms: the queue is asked for 200 messages a second at most. */
const ELSEWHERE_EACH_MS = 5;
/** A file's time counts as reset when it is later by more than this, in ms, because file systems round times. */
const TIME_GRAIN_MS = 2_000;

interface Entry {
  since: number;
  attempts: number;
  dueAt: number;
  isInFlight: boolean;
  /** The time of its file, by the clock of the system, when the folder was read last; null before. */
  fileTime: number | null;
}

/** The attempts of a message so far, and the delay until the next one in ms. */
export interface NextAttempt {
  attempts: number;
  delayMs: number;
}

/** The time of the next attempt for each message. The schedule is in memory alone, so a new process tries every message at once. */
export interface Schedule {
  readonly size: number;
  /** When the oldest waiting message came, in ms since the epoch; null without one. */
  readonly oldest: number | null;
  /** When the next message is due, in ms since the epoch; null without one. */
  readonly nextAt: number | null;
  /** Adds a new message, which is due at once. */
  add(file: MessageFile): void;
  /**
   * Adjusts the schedule to the folder: adds new messages, removes missing ones, and restarts those whose time was reset. The times of files
   * tell how long the messages of earlier processes have waited. Later, they only tell whether they have changed: the clock of
   * the system may jump.
   *
   * @param listedAt the time before the folder was read. A message added after it is not missing.
   */
  reconcile(files: readonly MessageFile[], listedAt: number): void;
  /** Marks the message that has been due for longest as in flight. @returns its id, or null when no message is due. */
  startNext(now: number): string | null;
  remove(id: string): void;
  /** Delays a message that another process or the queue has. No attempt is counted. */
  postpone(id: string, now: number): void;
  /** Makes a message due at once, unless it is in flight. */
  expedite(id: string, now: number): void;
  /** Counts a failed attempt. @returns the next one; null after GIVE_UP_AFTER_MS. */
  failed(id: string, now: number): NextAttempt | null;
}

/**
 * @param random from 0 up to 1, for the jitter.
 * @param pace the number by which the delays of attempts are divided.
 */
export function createSchedule(random: () => number = Math.random, pace = 1): Schedule {
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
    add({ id, since }) {
      // The folder may have been read since the message was written.
      if (!entries.has(id)) add(id, since, since, null);
    },

    reconcile(files, listedAt) {
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

    startNext(now) {
      let first: [id: string, entry: Entry] | null = null;
      for (const [id, entry] of entries) {
        if (entry.isInFlight || entry.dueAt > now) continue;
        if (first === null || entry.dueAt < first[1].dueAt) first = [id, entry];
      }
      if (first === null) return null;
      first[1].isInFlight = true;
      return first[0];
    },

    remove: id => void entries.delete(id),

    postpone(id, now) {
      const entry = entries.get(id);
      const delayMs = Math.max(ELSEWHERE_MS, entries.size * ELSEWHERE_EACH_MS);
      if (entry) Object.assign(entry, { isInFlight: false, dueAt: now + delayMs / pace });
    },

    expedite(id, now) {
      const entry = entries.get(id);
      if (entry && !entry.isInFlight) entry.dueAt = now;
    },

    failed(id, now) {
      const entry = entries.get(id);
      const next = entry ? nextAttempt(entry, now, random(), pace) : null;
      if (!entry || !next) return null;
      const { attempts, delayMs } = next;
      Object.assign(entry, { isInFlight: false, attempts, dueAt: now + delayMs });
      return next;
    },
  };
}

/**
 * Counts a failed attempt.
 *
 * @param message when it came, in ms since the epoch, and its attempts before this one.
 * @param random from 0 up to 1, for the jitter.
 * @param pace the number by which the delay is divided.
 * @returns the next attempt; null after GIVE_UP_AFTER_MS.
 */
export function nextAttempt(
  { since, attempts }: { since: number; attempts: number },
  now: number,
  random: number,
  pace: number,
): NextAttempt | null {
  if (now - since >= GIVE_UP_AFTER_MS) return null;
  // The last attempt comes exactly at the end of GIVE_UP_AFTER_MS.
  const delayMs = Math.min(retryDelay(attempts + 1, random) / pace, since + GIVE_UP_AFTER_MS - now);
  return { attempts: attempts + 1, delayMs };
}

/**
 * Exponential back-off with jitter: 1 s, 2 s, 4 s … 10 min. Up to a half is subtracted at random.
 *
 * @param attempts made so far, at least 1.
 * @param random from 0 up to 1.
 */
export function retryDelay(attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  return Math.round(delay * (1 - random / 2));
}
