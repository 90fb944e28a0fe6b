import { setTimeout as delay } from 'node:timers/promises';
import { LOG_BEGIN, type LogPosition } from '../cache/tags/log-position.ts';
import { within } from '../cache/within.ts';
import type { LoggedPurge, PurgeStore, Removal } from './purge-store.ts';

interface PurgeReaderOptions {
  store: Pick<PurgeStore, 'read' | 'has' | 'removals'>;
  /** The last position that earlier processes with this disk have read, or LOG_BEGIN. */
  from: LogPosition;
  /** Called with each entry in the order of the log, after the previous entry was applied. */
  onPurge: (purge: LoggedPurge) => Promise<void>;
  onBatch: () => void;
  /** Finds the position to continue from if the log has lost the given position. */
  rejoin: (lost: LogPosition) => Promise<LogPosition>;
  /** Called if entries before a position may be missing. */
  onDoubt: (position: LogPosition) => void;
  /** Called with the removals since the last position, or with all removals if there is none. */
  onRemovals: (removals: readonly Removal[]) => void;
}

/** How long a read waits for an entry, in ms. Each answer shows that the store works. */
const WAIT_MS = 1_000;
/** The time without an answer after which the log counts as lost, in ms. */
const LOST_AFTER_MS = 3_500;
const PAUSE_MS = 100;

/** Reads the shared log continuously from the last known position. */
export class PurgeReader {
  readonly #options: PurgeReaderOptions;
  readonly #stopped = new AbortController();
  readonly #wasRead = Promise.withResolvers<void>();
  #position: LogPosition;
  #hasBegun = false;
  #wasReadToEnd = false;
  #answeredAt = performance.now();
  #lastError: unknown = null;

  constructor(options: PurgeReaderOptions) {
    this.#options = options;
    this.#position = options.from;
  }

  begin(): void {
    this.#answeredAt = performance.now();
    void this.#followForEver();
  }

  /** Resolves when the log was read to its end once, or after `limitMs`. */
  async readOnce(limitMs: number): Promise<void> {
    await within(limitMs, this.#wasRead.promise);
  }

  get position(): LogPosition {
    return this.#position;
  }

  /** The time since the last answer of the store, in ms. A waiting reader gets one each second. */
  get silentMs(): number {
    return performance.now() - this.#answeredAt;
  }

  get isCurrent(): boolean {
    return this.#wasReadToEnd && this.silentMs < LOST_AFTER_MS;
  }

  get lastError(): unknown {
    return this.#lastError;
  }

  stop(): void {
    this.#stopped.abort();
    this.#wasRead.resolve();
  }

  async #followForEver(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await this.#step();
      } catch (error) {
        this.#lastError = error;
        await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  async #step(): Promise<void> {
    const { store, rejoin, onDoubt, onRemovals } = this.#options;
    if (!this.#hasBegun && this.#position === LOG_BEGIN) onRemovals(await store.removals(LOG_BEGIN));
    this.#hasBegun = true;
    const purges = await store.read(this.#position, this.#wasReadToEnd ? WAIT_MS : 0);
    // Leave the entries to the next process.
    if (this.#stopped.signal.aborted) return;
    // Check the position, because the log may have been lost and restarted between two reads.
    if (await store.has(this.#position)) await this.#apply(purges);
    else {
      const position = await rejoin(this.#position);
      const removals = await store.removals(this.#position);
      onDoubt(position);
      onRemovals(removals);
      this.#position = position;
    }
    this.#answeredAt = performance.now();
    this.#lastError = null;
    if (purges.length > 0) return;
    this.#wasReadToEnd = true;
    this.#wasRead.resolve();
  }

  async #apply(purges: readonly LoggedPurge[]): Promise<void> {
    for (const purge of purges) {
      await this.#options.onPurge(purge);
      this.#position = purge.position;
    }
    if (purges.length > 0) this.#options.onBatch();
  }
}
