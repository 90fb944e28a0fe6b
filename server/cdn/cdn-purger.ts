import { setTimeout as delay } from 'node:timers/promises';
import type { HttpCall } from '../backend/http-call.ts';
import { ownKeys, purgedKeys, WHOLE_SITE } from '../cache/tags/surrogate-keys.ts';
import { BackOff } from '../ops/back-off.ts';
import { Condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';
import type { PurgeTarget } from './purge-calls.ts';
import { type PurgeFailure, PurgeRefusedError, purgeFailure } from './purge-failure.ts';

export interface CdnPurgerOptions {
  targets: readonly PurgeTarget[];
  /** Lists the child tags of a tag. Responses may have them as surrogate keys. */
  below: (name: string) => readonly string[];
  call: HttpCall;
  /** Resolves when every replica has applied the change or is known to be gone. */
  whenShared: () => Promise<void>;
  /** Counts purged keys (`purged`), repeated keys (`again`) and `failed` calls. */
  count: (target: string, outcome: 'purged' | 'again' | 'failed', times: number) => void;
  log: Logger;
  againAfterMs?: number;
}

interface WaitingPurge {
  readonly isHard: boolean;
  readonly isAgain: boolean;
}

const TIMEOUT_MS = 5_000;
/** Purges are repeated after this time, in ms: a CDN may store an old response just after the first purge. */
const AGAIN_AFTER_MS = 5_000;
/** About how many characters of a CDN's response are kept, for an error message. */
const MAX_READ = 4_000;
/** Queue limit. Above it, one key that purges everything replaces the queue. */
const MAX_WAITING = 5_000;
/** Collects keys for this time before they are sent together, in ms. */
const COLLECT_MS = 20;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;

/** Purges CDNs. Each CDN has a queue, so that a failing CDN does not delay the others. */
export class CdnPurger {
  readonly #options: CdnPurgerOptions;
  readonly #queues: ReadonlyMap<string, CdnQueue>;

  constructor(options: CdnPurgerOptions) {
    this.#options = options;
    this.#queues = new Map(options.targets.map(target => [target.name, new CdnQueue(target, options)]));
  }

  /** Makes responses with a tag, its parent or a child stale. If `removed`, removes those with the tag. */
  purge(names: readonly string[], removed: boolean): void {
    if (names.length === 0) return;
    const words = purgedKeys(names, this.#options.below);
    for (const queue of this.#queues.values()) {
      // Remove responses that have the tag itself. Those with its parent or a child only become stale.
      if (removed) queue.add(ownKeys(names), { isHard: true, isAgain: false });
      queue.add(words, { isHard: false, isAgain: false });
    }
  }

  waiting(): ReadonlyMap<string, number> {
    return new Map([...this.#queues].map(([name, queue]) => [name, queue.waiting]));
  }

  failures(): ReadonlyMap<string, PurgeFailure> {
    return new Map([...this.#queues].flatMap(([name, { failure }]) => (failure ? [[name, failure]] : [])));
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(queue => queue.stop()));
  }
}

/** The queue of one CDN's purges. It sends them in batches until the CDN confirms them. */
class CdnQueue {
  readonly #target: PurgeTarget;
  readonly #options: CdnPurgerOptions;
  readonly #works: Condition;
  readonly #retries = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  readonly #stopping = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  #waiting = new Map<string, WaitingPurge>();
  #sending: Promise<void> | null = null;
  #retryMs = 0;
  #failure: PurgeFailure | null = null;

  constructor(target: PurgeTarget, options: CdnPurgerOptions) {
    this.#target = target;
    this.#options = options;
    this.#works = new Condition(options.log, {
      code: 'cdn',
      down: 'cdn: a purge has failed and is retried; the CDN may send old pages',
      up: 'cdn: purges work again',
    });
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get failure(): PurgeFailure | null {
    return this.#failure;
  }

  add(words: Iterable<string>, purge: WaitingPurge): void {
    for (const word of words) this.#put(word, purge);
    if (this.#waiting.size > MAX_WAITING) {
      // If a dropped purge would remove content, remove everything. Otherwise removed content would stay.
      const isHard = [...this.#waiting.values()].some(purge => purge.isHard);
      this.#waiting = new Map([[WHOLE_SITE, { isHard, isAgain: false }]]);
    }
    this.#sending ??= this.#sendAll();
  }

  /** Sends the waiting purges at once, then stops. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
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
    const { signal } = this.#stopping;
    while (this.#waiting.size > 0) {
      await delay(this.#retryMs || COLLECT_MS, undefined, { signal, ref: false }).catch(() => {});
      const words = this.#waiting;
      this.#waiting = new Map();
      await this.#options.whenShared();
      await this.#sendBatches(words);
      for (const [word, purge] of words) this.#put(word, purge);
      if (words.size > 0 && signal.aborted) break;
    }
    this.#sending = null;
  }

  /** Sends batches until one fails. Deletes the sent keys from `words`. */
  async #sendBatches(words: Map<string, WaitingPurge>): Promise<void> {
    for (const hard of [true, false]) {
      const all = [...words].filter(([, { isHard }]) => isHard === hard);
      for (let at = 0; at < all.length; at += this.#target.maxWords) {
        const batch = new Map(all.slice(at, at + this.#target.maxWords));
        try {
          await this.#send([...batch.keys()], hard);
        } catch (error) {
          this.#failed(error, words.size + this.#waiting.size);
          return;
        }
        for (const word of batch.keys()) words.delete(word);
        this.#sent(batch);
      }
    }
  }

  async #send(words: readonly string[], isHard: boolean): Promise<void> {
    const { address, ...request } = this.#target.call(words, isHard);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await this.#options.call(address, { ...request, signal });
    let text = '';
    for await (const chunk of answer.body) if (text.length < MAX_READ) text += chunk;
    if (answer.status !== 200) throw new PurgeRefusedError(this.#target.name, answer.status, text);
  }

  #failed(error: unknown, waiting: number): void {
    const { name } = this.#target;
    this.#retryMs = this.#retries.failed();
    this.#options.count(name, 'failed', 1);
    this.#failure = purgeFailure(name, error);
    this.#works.down({ target: name, waiting, ...this.#failure }, this.#failure.remedy);
  }

  #sent(purges: ReadonlyMap<string, WaitingPurge>): void {
    const { name } = this.#target;
    const { count, againAfterMs = AGAIN_AFTER_MS } = this.#options;
    this.#retries.succeeded();
    this.#retryMs = 0;
    this.#failure = null;
    this.#works.up({ target: name });
    const first = [...purges].filter(([, { isAgain }]) => !isAgain);
    count(name, 'again', purges.size - first.length);
    count(name, 'purged', first.length);
    if (first.length === 0) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      for (const [word, { isHard }] of first) this.add([word], { isHard, isAgain: true });
    }, againAfterMs).unref();
    this.#timers.add(timer);
  }
}
