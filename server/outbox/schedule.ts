import type { LetterFile } from './outbox-files.ts';

/** How long after its arrival a message is still tried, in ms. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 10 * 60 * 1_000;
/** A message that another process delivers is looked at again after this, in ms. */
const ELSEWHERE_MS = 5_000;
/** File systems round the times of files: only a later one than this counts as set anew, in ms. */
const TIME_GRAIN_MS = 2_000;

interface Entry {
  since: number;
  attempts: number;
  dueAt: number;
  isUnderWay: boolean;
}

/** When which message is to be tried. In memory alone: a new process begins with a try of each. */
export interface Schedule {
  readonly size: number;
  /** Since when the oldest waits; null when none does. */
  readonly oldest: number | null;
  /** When the next one is due, ms since the epoch; null when none is. */
  readonly nextAt: number | null;
  /** A message that has just arrived is due at once. */
  add(file: LetterFile): void;
  /**
   * Takes over what is in the folder: what is new there, what has gone, whose time was set anew.
   * @param listedAt when the folder began to be read: what has arrived since is not missing.
   */
  reconcile(files: readonly LetterFile[], listedAt: number): void;
  /** @returns the message that has been due for longest, now under way, or null. */
  take(now: number): string | null;
  remove(id: string): void;
  /** It is another process's to deliver. */
  postpone(id: string, now: number): void;
  /** @returns after how many ms it is tried again, and how often it was; null when its time is over. */
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

  function add({ id, since }: LetterFile, dueAt: number): void {
    entries.set(id, { since, attempts: 0, dueAt, isUnderWay: false });
  }

  return {
    get size() {
      return entries.size;
    },
    get oldest() {
      return least(({ since }) => since);
    },
    get nextAt() {
      return least(({ isUnderWay, dueAt }) => (isUnderWay ? Number.POSITIVE_INFINITY : dueAt));
    },
    add: file => add(file, file.since),

    reconcile(files, listedAt) {
      const found = new Set(files.map(({ id }) => id));
      for (const [id, { isUnderWay, since }] of entries)
        if (!isUnderWay && since < listedAt && !found.has(id)) entries.delete(id);
      for (const file of files) {
        const known = entries.get(file.id);
        if (!known || (!known.isUnderWay && file.since > known.since + TIME_GRAIN_MS)) add(file, listedAt);
      }
    },

    take(now) {
      let first: [id: string, entry: Entry] | null = null;
      for (const [id, entry] of entries) {
        if (entry.isUnderWay || entry.dueAt > now) continue;
        if (first === null || entry.dueAt < first[1].dueAt) first = [id, entry];
      }
      if (first === null) return null;
      first[1].isUnderWay = true;
      return first[0];
    },

    remove: id => void entries.delete(id),

    postpone(id, now) {
      const entry = entries.get(id);
      if (entry) Object.assign(entry, { isUnderWay: false, dueAt: now + ELSEWHERE_MS });
    },

    failed(id, now) {
      const entry = entries.get(id);
      if (!entry || now - entry.since >= GIVE_UP_AFTER_MS) return null;
      entry.attempts += 1;
      // The last try is made when the time is over, not a while before.
      const delayMs = Math.min(retryDelay(entry.attempts, random()), entry.since + GIVE_UP_AFTER_MS - now);
      Object.assign(entry, { isUnderWay: false, dueAt: now + delayMs });
      return { attempts: entry.attempts, delayMs };
    },
  };
}

/**
 * Exponential back-off with jitter: 1 s, 2 s, 4 s … 10 min, less up to a half of it.
 *
 * @param attempts how often it was tried, at least 1.
 * @param random from 0 up to 1.
 */
export function retryDelay(attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  return Math.round(delay * (1 - random / 2));
}
