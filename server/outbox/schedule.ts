import type { MessageFile } from './outbox-files.ts';

/** A message is tried for this long after it came, in ms. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 10 * 60 * 1_000;
/** A message that another process delivers is tried again after this, in ms. */
const LEASED_ELSEWHERE_MS = 5_000;
/** File systems round the times of files. A time counts as reset when it is later by more than this, in ms. */
const TIME_GRAIN_MS = 2_000;

interface Entry {
  since: number;
  attempts: number;
  dueAt: number;
  isInFlight: boolean;
}

/** The time of the next attempt for each message. It is in memory alone: a new process begins with an attempt of each. */
export interface Schedule {
  readonly size: number;
  /** When the oldest waiting message came, in ms since the epoch; null without one. */
  readonly oldest: number | null;
  /** When the next message is due, in ms since the epoch; null without one. */
  readonly nextAt: number | null;
  /** Adds a message that has just come. It is due at once. */
  add(file: MessageFile): void;
  /**
   * Adjusts the schedule to the folder: messages that are new, that have gone, and whose time was reset.
   * @param listedAt when the folder began to be read: messages that came later are not missing.
   */
  reconcile(files: readonly MessageFile[], listedAt: number): void;
  /** Marks the message that has been due for longest as in flight. @returns null when none is due. */
  startNext(now: number): string | null;
  remove(id: string): void;
  /** Another process holds the lease: tries again later, without counting an attempt. */
  postpone(id: string, now: number): void;
  /** @returns the attempts so far and the delay of the next one in ms; null when the time for attempts is over. */
  failed(id: string, now: number): { attempts: number; delayMs: number } | null;
}

/** @param random from 0 up to 1, for the jitter. */
export function createSchedule(random: () => number = Math.random): Schedule {
  const entries = new Map<string, Entry>();

  function least(figure: (entry: Entry) => number): number | null {
    let least = Number.POSITIVE_INFINITY;
    for (const entry of entries.values()) least = Math.min(least, figure(entry));
    return least === Number.POSITIVE_INFINITY ? null : least;
  }

  function add({ id, since }: MessageFile, dueAt: number): void {
    entries.set(id, { since, attempts: 0, dueAt, isInFlight: false });
  }

  return {
    get size() {
      return entries.size;
    },
    get oldest() {
      return least(({ since }) => since);
    },
    get nextAt() {
      return least(({ isInFlight, dueAt }) => (isInFlight ? Number.POSITIVE_INFINITY : dueAt));
    },
    add: file => add(file, file.since),

    reconcile(files, listedAt) {
      const found = new Set(files.map(({ id }) => id));
      for (const [id, { isInFlight, since }] of entries)
        if (!isInFlight && since < listedAt && !found.has(id)) entries.delete(id);
      for (const file of files) {
        const known = entries.get(file.id);
        if (!known || (!known.isInFlight && file.since > known.since + TIME_GRAIN_MS)) add(file, listedAt);
      }
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
      if (entry) Object.assign(entry, { isInFlight: false, dueAt: now + LEASED_ELSEWHERE_MS });
    },

    failed(id, now) {
      const entry = entries.get(id);
      if (!entry || now - entry.since >= GIVE_UP_AFTER_MS) return null;
      entry.attempts += 1;
      // The last attempt is made exactly when the time is over.
      const delayMs = Math.min(retryDelay(entry.attempts, random()), entry.since + GIVE_UP_AFTER_MS - now);
      Object.assign(entry, { isInFlight: false, dueAt: now + delayMs });
      return { attempts: entry.attempts, delayMs };
    },
  };
}

/**
 * Exponential back-off with jitter: 1 s, 2 s, 4 s … 10 min, less up to a half of it.
 *
 * @param attempts made so far, at least 1.
 * @param random from 0 up to 1.
 */
export function retryDelay(attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  return Math.round(delay * (1 - random / 2));
}
