import type { HttpCall } from '../backend/http-call.ts';
import { ownKeys, purgedKeys } from '../cache/tags/surrogate-keys.ts';
import { condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';
import type { PurgeTarget } from './purge-calls.ts';
import { type PurgeFailure, PurgeRefusedError, purgeFailure } from './purge-failure.ts';
import { TargetQueue } from './target-queue.ts';

export interface CdnPurgerOptions {
  targets: readonly PurgeTarget[];
  call: HttpCall;
  /** Lists the names below a name that answers may have as surrogate keys. */
  below: (name: string) => readonly string[];
  /** Resolves when every replica has applied the change or is known to be gone. */
  whenShared: () => Promise<void>;
  /** Counts purged keys (`purged`), repeated keys (`again`) and `failed` calls. */
  count: (target: string, outcome: 'purged' | 'again' | 'failed', times: number) => void;
  log: Logger;
  /** The delay before a purge is repeated, in ms. */
  againAfterMs?: number;
}

const TIMEOUT_MS = 5_000;
/** Each purge is repeated after this, in ms. A CDN may fetch an answer before a purge and store it after. */
const AGAIN_AFTER_MS = 5_000;
/** The longest answer of a CDN that is read, in characters. */
const MAX_READ = 4_000;

/** Purges CDNs. Each CDN has a queue, so that a failing CDN does not delay the others. */
export class CdnPurger {
  readonly #options: CdnPurgerOptions;
  readonly #queues: ReadonlyMap<string, TargetQueue>;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #failures = new Map<string, PurgeFailure>();

  constructor(options: CdnPurgerOptions) {
    this.#options = options;
    this.#queues = new Map(options.targets.map(target => [target.name, this.#queueOf(target)]));
  }

  /** Makes answers with a name, or one above or below, stale. If `removed`, removes answers with the name. */
  purge(names: readonly string[], removed: boolean): void {
    if (names.length === 0) return;
    const words = purgedKeys(names, this.#options.below);
    for (const queue of this.#queues.values()) {
      // Remove answers with the removed names. Answers with names above or below become stale.
      if (removed) queue.add(ownKeys(names), { isHard: true, isAgain: false });
      queue.add(words, { isHard: false, isAgain: false });
    }
  }

  waiting(): ReadonlyMap<string, number> {
    return new Map([...this.#queues].map(([name, queue]) => [name, queue.waiting]));
  }

  failures(): ReadonlyMap<string, PurgeFailure> {
    return this.#failures;
  }

  /** Sends the waiting purges at once, because the process ends. */
  async settled(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#queues.values()].map(queue => queue.stop()));
  }

  #queueOf(target: PurgeTarget): TargetQueue {
    const { count, log, whenShared } = this.#options;
    const purges = condition(log, {
      code: 'cdn',
      down: 'cdn: a purge has failed and is retried; the CDN may send old pages',
      up: 'cdn: purges work again',
    });
    const queue = new TargetQueue({
      target,
      whenShared,
      send: (words, isHard) => this.#send(target, words, isHard),
      onSent: words => {
        this.#failures.delete(target.name);
        purges.up({ target: target.name });
        const first = [...words].filter(([, { isAgain }]) => !isAgain);
        count(target.name, 'again', words.size - first.length);
        count(target.name, 'purged', first.length);
        if (first.length === 0) return;
        this.#later(() => {
          for (const [word, { isHard }] of first) queue.add([word], { isHard, isAgain: true });
        });
      },
      onFailure: (error, waiting) => {
        count(target.name, 'failed', 1);
        const failure = purgeFailure(target.name, error);
        purges.down({ target: target.name, waiting, ...failure }, failure.remedy);
        this.#failures.set(target.name, failure);
      },
    });
    return queue;
  }

  #later(work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, this.#options.againAfterMs ?? AGAIN_AFTER_MS).unref();
    this.#timers.add(timer);
  }

  async #send(target: PurgeTarget, words: readonly string[], isHard: boolean): Promise<void> {
    const { address, ...request } = target.call(words, isHard);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await this.#options.call(address, { ...request, signal });
    let text = '';
    for await (const chunk of answer.body) if (text.length < MAX_READ) text += chunk;
    if (answer.status !== 200) throw new PurgeRefusedError(target.name, answer.status, text);
  }
}
