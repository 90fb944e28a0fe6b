import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogPosition } from '../cache/tags/log-position.ts';
import { within } from '../cache/within.ts';
import { encodeEvents, removedBy, type SharedEvent } from '../events/shared-event.ts';
import { BackOff } from '../ops/back-off.ts';
import type { PurgeStore } from './purge-store.ts';

/** Called with the events of each entry that the log has stored. */
type OnAppended = (events: readonly SharedEvent[], position: LogPosition) => void;

interface Batch {
  readonly events: SharedEvent[];
  readonly since: number;
  readonly appended: PromiseWithResolvers<true>;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
const MOST_EVENTS = 200;
/** Queue limit. Above it the queue is replaced by one `expire-all` and the removals. */
const MOST_BATCHES = 25;
export const EXPIRE_EVERYTHING: SharedEvent = { kind: 'operation', operation: { kind: 'expire-all' } };

/** Sends the events of this process to the shared log. Repeats each batch until it is stored. */
export class PurgeWriter {
  /** The id of this process in the log, new after each start. */
  readonly id = randomUUID();
  readonly #store: Pick<PurgeStore, 'append'>;
  readonly #onAppended: OnAppended;
  readonly #stopped = new AbortController();
  #sent: Batch | null = null;
  #waiting: Batch[] = [];
  #isSending = false;
  #lastError: unknown = null;

  constructor(store: Pick<PurgeStore, 'append'>, onAppended: OnAppended) {
    this.#store = store;
    this.#onAppended = onAppended;
  }

  add(event: SharedEvent): void {
    const last = this.#waiting.at(-1);
    if (last && last.events.length < MOST_EVENTS) last.events.push(event);
    else this.#waiting.push(this.#batchOf([event]));
    if (this.#waiting.length > MOST_BATCHES) this.#collapse();
    if (!this.#isSending) void this.#sendAll();
  }

  /** Resolves with true when the log has all earlier events, or with false after `limitMs`. */
  async appended(limitMs: number): Promise<boolean> {
    const last = this.#waiting.at(-1) ?? this.#sent;
    return !last || (await within(limitMs, last.appended.promise)) === true;
  }

  get isIdle(): boolean {
    return this.#sent === null && this.#waiting.length === 0;
  }

  /** How long the oldest event has waited, in ms; 0 without waiting events. */
  get waitingMs(): number {
    const first = this.#sent ?? this.#waiting[0];
    return first ? performance.now() - first.since : 0;
  }

  get lastError(): unknown {
    return this.#lastError;
  }

  stop(): void {
    this.#stopped.abort();
  }

  #batchOf(events: SharedEvent[]): Batch {
    return { events, since: performance.now(), appended: Promise.withResolvers() };
  }

  #collapse(): void {
    const removed = new Set(this.#waiting.flatMap(({ events }) => removedBy(events)));
    const events = [EXPIRE_EVERYTHING];
    if (removed.size > 0)
      events.push({ kind: 'operation', operation: { kind: 'remove', tags: [...removed] } });
    this.#waiting = [this.#batchOf(events)];
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    // Wait for the end of the tick, whose operations become one entry.
    await Promise.resolve();
    const pauses = new BackOff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    while (!this.#stopped.signal.aborted) {
      this.#sent ??= this.#waiting.shift() ?? null;
      if (!this.#sent) break;
      const { events, appended } = this.#sent;
      try {
        const position = await this.#store.append(this.id, encodeEvents(events), removedBy(events));
        this.#sent = null;
        this.#lastError = null;
        pauses.succeeded();
        this.#onAppended(events, position);
        appended.resolve(true);
      } catch (error) {
        this.#lastError = error;
        await delay(pauses.failed(), undefined, { signal: this.#stopped.signal, ref: false }).catch(() => {});
      }
    }
    this.#isSending = false;
  }
}
