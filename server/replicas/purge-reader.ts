import { setTimeout as delay } from 'node:timers/promises';
import { LOG_BEGIN, type LogPosition } from '../cache/tags/log-position.ts';
import type { LoggedPurge, PurgeStore, Removal } from './purge-store.ts';

export interface PurgeReaderOptions {
  store: Pick<PurgeStore, 'read' | 'has' | 'removals'>;
  /** The last position that earlier processes with the same disk have read; LOG_BEGIN without one. */
  from: LogPosition;
  /** Called with each entry in the order of the log, after the one before is applied. */
  onPurge: (purge: LoggedPurge) => Promise<void>;
  onBatch: () => void;
  /** Names where to go on after a position that the log has lost. */
  rejoin: (lost: LogPosition) => Promise<LogPosition>;
  /** Called when entries before a position may have been missed. */
  onDoubt: (position: LogPosition) => void;
  /** Called with what was removed meanwhile, and with all of it where there is no last position. */
  onRemovals: (removals: readonly Removal[]) => void;
  /** Called once when nothing was answered for STALE_AFTER_MS. */
  onSilence: () => void;
}

/** How long a read waits for an entry, in ms. Each answer is a sign of life. */
const WAIT_MS = 1_000;
/** Without an answer for this time the log counts as lost, in ms. */
const LOST_AFTER_MS = 3_500;
/** Without an answer for this time everything in memory is in doubt, in ms. */
const STALE_AFTER_MS = 10_000;
const PAUSE_MS = 100;
const WATCH_EVERY_MS = 250;

/** Reads the shared log, from the last known position and then for ever. */
export class PurgeReader {
  readonly #options: PurgeReaderOptions;
  readonly #stopped = new AbortController();
  readonly #wasRead = Promise.withResolvers<void>();
  #position: LogPosition;
  #hasBegun = false;
  #wasReadToEnd = false;
  #answeredAt = performance.now();
  #isSilent = false;
  #lastError: unknown = null;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: PurgeReaderOptions) {
    this.#options = options;
    this.#position = options.from;
  }

  begin(): void {
    this.#answeredAt = performance.now();
    this.#watch = setInterval(() => this.#look(), WATCH_EVERY_MS);
    this.#watch.unref();
    void this.#followForEver();
  }

  /** Resolves when the log has been read to its end once, or after a time in ms. */
  async readOnce(limitMs: number): Promise<void> {
    const limit = new AbortController();
    const tooLate = delay(limitMs, undefined, { signal: limit.signal, ref: false }).catch(() => {});
    await Promise.race([this.#wasRead.promise, tooLate]);
    limit.abort();
  }

  /** The last entry that was read and applied. */
  get position(): LogPosition {
    return this.#position;
  }

  /** The time since the store answered last, in ms: a waiting reader is answered each second. */
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
    clearInterval(this.#watch);
    this.#stopped.abort();
    this.#wasRead.resolve();
  }

  #look(): void {
    if (this.#isSilent || this.silentMs < STALE_AFTER_MS) return;
    this.#isSilent = true;
    this.#options.onSilence();
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
    // The next process applies them.
    if (this.#stopped.signal.aborted) return;
    // The log may have been lost, and begun again, between two reads.
    if (await store.has(this.#position)) await this.#apply(purges);
    else {
      const position = await rejoin(this.#position);
      const removals = await store.removals(this.#position);
      onDoubt(position);
      onRemovals(removals);
      this.#position = position;
    }
    this.#answeredAt = performance.now();
    this.#isSilent = false;
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
