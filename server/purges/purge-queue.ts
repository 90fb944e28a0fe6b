import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogPosition } from '../cache/log-position.ts';
import type { PurgeStore } from './purge-store.ts';
import { encodeEvents, removedBy, type SharedEvent } from './shared-event.ts';

/** The events of this process on their way into the shared log. */
export interface PurgeQueue {
  /** The id of this process in the log. Another one after each start. */
  readonly id: string;
  add(event: SharedEvent): void;
  /**
   * Lets everything expire in all processes after a loss of the log: other processes may have missed what only the lost log had.
   *
   * @param removed names that the new log must know as removed.
   */
  addReset(removed: readonly string[]): void;
  /** Notes that an entry of this process has been read from the log: its acknowledgment may have been lost. */
  seen(number: number, position: LogPosition): void;
  /** Resolves with true when the log has all events that were added before, and with false after a time in ms. */
  appended(limitMs: number): Promise<boolean>;
  /** How long the oldest event has waited, in ms; 0 when none waits. */
  readonly waitingMs: number;
  /** The last failure, while events wait; null without one. */
  readonly lastError: unknown;
  stop(): void;
}

export interface PurgeQueueOptions {
  store: Pick<PurgeStore, 'append'>;
  /**
   * Called with each entry that the log has, in their order.
   *
   * @param resetNames the names of `addReset`, where the entry has some.
   */
  onAppended: (events: readonly SharedEvent[], resetNames: readonly string[], position: LogPosition) => void;
  /** Called with events that the log will not get, and those that stand for them. */
  onCollapsed: (events: readonly SharedEvent[], standIns: readonly SharedEvent[]) => void;
  /** A monotonic clock, in ms. */
  now?: () => number;
}

interface Entry {
  readonly number: number;
  readonly events: readonly SharedEvent[];
  readonly resetNames: readonly string[];
  readonly since: number;
}

/** The pause after a failed attempt, in ms. It doubles up to the longest. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
/** Most events in one entry. */
const MOST_EVENTS = 200;
/** Beyond so many waiting events the end of everything's time to live, and the removals, stand for them. */
const MAX_WAITING = 5_000;
const EXPIRE_EVERYTHING: SharedEvent = { kind: 'operation', operation: { kind: 'expire-all' } };

/** @returns an empty queue. An entry is sent again, unchanged, until the log has it. */
export function createPurgeQueue({
  store,
  onAppended,
  onCollapsed,
  now = () => performance.now(),
}: PurgeQueueOptions): PurgeQueue {
  const id = randomUUID();
  const stopped = new AbortController();
  let waiting: SharedEvent[] = [];
  let resetNames: readonly string[] = [];
  let waitingSince = 0;
  let current: Entry | null = null;
  let numbers = 0;
  let isSending = false;
  let lastError: unknown = null;
  /** Called when the log has the entry of a number. */
  const waiters = new Set<{ number: number; resolve: () => void }>();

  function nextEntry(): Entry | null {
    if (waiting.length === 0) return null;
    const events = waiting.splice(0, MOST_EVENTS);
    numbers += 1;
    const entry = { number: numbers, events, resetNames, since: waitingSince };
    resetNames = [];
    return entry;
  }

  function done(entry: Entry, position: LogPosition): void {
    if (current !== entry) return;
    current = null;
    lastError = null;
    onAppended(entry.events, entry.resetNames, position);
    for (const waiter of waiters) {
      if (waiter.number > entry.number) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  }

  async function send(): Promise<void> {
    isSending = true;
    // The operations of one turn become one entry.
    await Promise.resolve();
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopped.signal.aborted) {
      current ??= nextEntry();
      const entry = current;
      if (!entry) break;
      const { number, events } = entry;
      const removed = [...new Set([...removedBy(events), ...entry.resetNames])];
      try {
        done(entry, await store.append({ by: id, number, events: encodeEvents(events) }, removed));
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        lastError = error;
        await delay(pauseMs, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
    isSending = false;
  }

  function collapse(): void {
    const removed = [...new Set(removedBy(waiting))];
    const standIns: SharedEvent[] = [EXPIRE_EVERYTHING];
    if (removed.length > 0)
      standIns.push({ kind: 'operation', operation: { kind: 'remove', tags: removed } });
    onCollapsed(waiting, standIns);
    waiting = standIns;
  }

  function add(event: SharedEvent): void {
    if (waiting.length === 0) waitingSince = now();
    waiting.push(event);
    if (waiting.length > MAX_WAITING) collapse();
    if (!isSending) void send();
  }

  return {
    id,
    add,
    addReset(removed) {
      resetNames = [...new Set([...resetNames, ...removed])];
      add(EXPIRE_EVERYTHING);
    },
    seen(number, position) {
      if (current?.number === number) done(current, position);
    },
    async appended(limitMs) {
      if (!current && waiting.length === 0) return true;
      // Entries are made of the events in their order, so the last one has this number at most.
      const number = numbers + Math.ceil(waiting.length / MOST_EVENTS);
      return new Promise(resolve => {
        const waiter = { number, resolve: () => resolve(true) };
        waiters.add(waiter);
        setTimeout(() => {
          waiters.delete(waiter);
          resolve(false);
        }, limitMs).unref();
      });
    },
    get waitingMs() {
      const since = current?.since ?? (waiting.length > 0 ? waitingSince : null);
      return since === null ? 0 : now() - since;
    },
    get lastError() {
      return lastError;
    },
    stop: () => stopped.abort(),
  };
}
