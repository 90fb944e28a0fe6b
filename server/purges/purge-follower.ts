import { setTimeout as delay } from 'node:timers/promises';
import { isLater, LOG_BEGIN, type LogPosition, timeOfPosition } from '../cache/log-position.ts';
import { type LoggedPurge, MAX_ENTRIES, type PurgeStore, type Removal } from './purge-store.ts';

/** Reads the shared log, from its beginning and then for ever. */
export interface PurgeFollower {
  begin(): void;
  /** Resolves when the log has been read to its end once, or after a time in ms. */
  readOnce(limitMs: number): Promise<void>;
  /** The last entry that was read and applied. */
  readonly position: LogPosition;
  /** How long ago the store answered last, in ms: a reader that waits for entries is answered each second. */
  readonly silentMs: number;
  /** Whether the log has been read to its end, and its answers come. */
  readonly isCurrent: boolean;
  /** The last failure since the last answer; null without one. */
  readonly lastError: unknown;
  stop(): void;
}

export interface PurgeFollowerOptions {
  store: Pick<PurgeStore, 'read' | 'compare' | 'removals'>;
  /** The last position that earlier processes with the same disk have read. */
  known: LogPosition;
  /** Called with each entry, in the order of the log, when the one before it is applied. @param isKnown whether an earlier process has applied it. */
  onPurge: (purge: LoggedPurge, isKnown: boolean) => Promise<void>;
  /** Called after a batch of entries, when they are applied. */
  onBatch: () => void;
  /** Called with all names that the store knows as removed, before the log is read from its beginning. */
  onRemovals: (removals: readonly Removal[]) => void;
  /** Called with a position before which entries are missing: what was invalidated until then is not known. */
  onGap: (position: LogPosition) => void;
  /**
   * Called when entries were missed: everything in memory and on disk may be outdated.
   *
   * @param isLost whether the log itself was lost, and begins again.
   * @param removed the names that the store knows as removed since.
   */
  onMissed: (isLost: boolean, removed: readonly string[]) => void;
  /** Called once when nothing was answered for STALE_AFTER_MS. */
  onSilence: () => void;
  /** A monotonic clock, in ms. */
  now?: () => number;
}

/** How long a read waits for an entry, in ms. Each answer is a sign of life. */
const WAIT_MS = 1_000;
/** Without an answer for this time the log counts as lost, in ms: changes are searched for. */
export const LOST_AFTER_MS = 3_500;
/** Without an answer for this time everything in memory counts as outdated, in ms. */
export const STALE_AFTER_MS = 10_000;
/** The pause after a failed read, in ms. */
const PAUSE_MS = 100;
const WATCH_EVERY_MS = 250;

/** @returns a follower that has not begun. */
export function createPurgeFollower(options: PurgeFollowerOptions): PurgeFollower {
  const {
    store,
    known,
    onPurge,
    onBatch,
    onRemovals,
    onGap,
    onMissed,
    onSilence,
    now = () => performance.now(),
  } = options;
  const stopped = new AbortController();
  const wasRead = Promise.withResolvers<void>();
  /** The last entry that was read. */
  let position = LOG_BEGIN;
  /** The position after which nothing may be missing. */
  let checkpoint = known;
  /** Whether the log lacks entries that came after the last one that was read. */
  let isGapAhead = false;
  let wasReadToEnd = false;
  let answeredAt = now();
  let isSilent = false;
  let lastError: unknown = null;
  let watch: NodeJS.Timeout | undefined;

  function answered(): void {
    answeredAt = now();
    isSilent = false;
    lastError = null;
  }

  /** Compares the log with what was read. @returns whether nothing was missed. */
  async function isWhole(): Promise<boolean> {
    const found = await store.compare(checkpoint);
    if (found === 'whole') return true;
    const since = timeOfPosition(checkpoint);
    const removals = await store.removals();
    onMissed(
      found === 'lost',
      removals.flatMap(({ name, position }) => (timeOfPosition(position) < since ? [] : [name])),
    );
    checkpoint = LOG_BEGIN;
    isGapAhead = found === 'behind';
    return false;
  }

  async function readFromBeginning(applied: LogPosition): Promise<void> {
    onRemovals(await store.removals());
    position = LOG_BEGIN;
    let first: LogPosition | null = null;
    let count = 0;
    while (!stopped.signal.aborted) {
      const purges = await store.read(position, 0);
      answered();
      if (purges.length === 0) break;
      first ??= purges[0]?.position ?? null;
      count += purges.length;
      await apply(purges, applied);
    }
    if (first !== null && (isGapAhead || count >= MAX_ENTRIES)) onGap(first);
    isGapAhead = false;
    checkpoint = position;
    wasReadToEnd = true;
    wasRead.resolve();
  }

  /** @param applied the last position that an earlier process has applied. */
  async function apply(purges: readonly LoggedPurge[], applied = LOG_BEGIN): Promise<void> {
    for (const purge of purges) {
      await onPurge(purge, !isLater(purge.position, applied));
      position = purge.position;
    }
    onBatch();
  }

  /** Reads until a read fails. */
  async function follow(): Promise<void> {
    if (!(await isWhole())) await readFromBeginning(LOG_BEGIN);
    else if (!wasReadToEnd) await readFromBeginning(checkpoint);
    while (!stopped.signal.aborted) {
      const purges = await store.read(position, WAIT_MS);
      // The next process applies them.
      if (stopped.signal.aborted) return;
      // The log may have been lost and begun again between two reads.
      if (!(await isWhole())) await readFromBeginning(LOG_BEGIN);
      else if (purges.length > 0) {
        await apply(purges);
        checkpoint = position;
      }
      answered();
    }
  }

  async function followForEver(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        lastError = error;
        await delay(PAUSE_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
      }
    }
  }

  return {
    begin() {
      answeredAt = now();
      watch = setInterval(() => {
        if (isSilent || now() - answeredAt < STALE_AFTER_MS) return;
        isSilent = true;
        onSilence();
      }, WATCH_EVERY_MS);
      watch.unref();
      void followForEver();
    },
    async readOnce(limitMs) {
      const limit = new AbortController();
      const tooLate = delay(limitMs, undefined, { signal: limit.signal, ref: false }).catch(() => {});
      await Promise.race([wasRead.promise, tooLate]);
      limit.abort();
    },
    get position() {
      return position;
    },
    get silentMs() {
      return now() - answeredAt;
    },
    get isCurrent() {
      return wasReadToEnd && now() - answeredAt < LOST_AFTER_MS;
    },
    get lastError() {
      return lastError;
    },
    stop() {
      clearInterval(watch);
      stopped.abort();
      wasRead.resolve();
    },
  };
}
