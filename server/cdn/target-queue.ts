import { setTimeout as delay } from 'node:timers/promises';
import { WHOLE_SITE } from '../cache/tags/surrogate-keys.ts';
import { BackOff } from '../ops/back-off.ts';
import type { PurgeTarget } from './purge-calls.ts';

/** Queue limit. Above it, one key that purges everything replaces the queue. */
const MAX_WAITING = 5_000;
/** Collects keys for this time before they are sent together, in ms. */
const COLLECT_MS = 20;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;

interface WaitingPurge {
  /** Whether to remove the answers. Otherwise they become stale. */
  readonly isHard: boolean;
  readonly isAgain: boolean;
}

interface TargetQueueOptions {
  target: PurgeTarget;
  /** @throws when the CDN does not confirm the purge. */
  send(words: readonly string[], isHard: boolean): Promise<void>;
  /** Resolves when the answers of all replicas are as new as the purge. */
  whenShared(): Promise<void>;
  onSent(words: ReadonlyMap<string, WaitingPurge>): void;
  onFailure(error: unknown, waiting: number): void;
}

/** The queue of one CDN's purges. It sends them in batches until the CDN confirms them. */
export class TargetQueue {
  readonly #options: TargetQueueOptions;
  #waiting = new Map<string, WaitingPurge>();
  #sending: Promise<void> | null = null;
  readonly #retries = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  #retryMs = 0;
  readonly #stopping = new AbortController();

  constructor(options: TargetQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  add(words: Iterable<string>, purge: WaitingPurge): void {
    for (const word of words) this.#put(word, purge);
    if (this.#waiting.size > MAX_WAITING) {
      // Remove everything if one of the purges removes content, because its key is lost with the queue.
      const isHard = [...this.#waiting.values()].some(purge => purge.isHard);
      this.#waiting = new Map([[WHOLE_SITE, { isHard, isAgain: false }]]);
    }
    this.#sending ??= this.#sendAll();
  }

  /** Sends the waiting purges again, then stops. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sending;
  }

  #put(word: string, { isHard, isAgain }: WaitingPurge): void {
    const known = this.#waiting.get(word);
    this.#waiting.set(word, {
      isHard: isHard || known?.isHard === true,
      isAgain: isAgain && known?.isAgain !== false,
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const { signal } = this.#stopping;
      await delay(this.#retryMs || COLLECT_MS, undefined, { signal, ref: false }).catch(() => {});
      const words = this.#waiting;
      this.#waiting = new Map();
      await this.#options.whenShared();
      const left = await this.#sendBatches(words);
      for (const [word, purge] of left) this.#put(word, purge);
      if (left.size > 0 && this.#stopping.signal.aborted) break;
    }
    this.#sending = null;
  }

  async #sendBatches(words: Map<string, WaitingPurge>): Promise<ReadonlyMap<string, WaitingPurge>> {
    const { target, send, onSent, onFailure } = this.#options;
    for (const hard of [true, false]) {
      const all = [...words].filter(([, { isHard }]) => isHard === hard);
      for (let at = 0; at < all.length; at += target.maxWords) {
        const batch = new Map(all.slice(at, at + target.maxWords));
        try {
          await send([...batch.keys()], hard);
        } catch (error) {
          this.#retryMs = this.#retries.failed();
          onFailure(error, words.size + this.#waiting.size);
          return words;
        }
        this.#retries.succeeded();
        this.#retryMs = 0;
        for (const word of batch.keys()) words.delete(word);
        onSent(batch);
      }
    }
    return words;
  }
}
