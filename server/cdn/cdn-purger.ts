import type { HttpCall } from '../backend/http-call.ts';
import { ownWords, purgedWords } from '../cache/surrogate-tags.ts';
import type { Logger } from '../ops/log.ts';
import type { PurgeTarget } from './purge-calls.ts';
import { type PurgeFailure, PurgeRefusedError, purgeFailure } from './purge-failure.ts';
import { TargetQueue } from './target-queue.ts';

/** Tells caches in front of changes, after they have been applied here. */
export interface CdnPurger {
  /**
   * Makes the answers stale, or removes them, that concern one of the names.
   *
   * @param names of tags, without versions.
   * @param removed whether the content was unpublished or deleted, so that no cache may show it any longer.
   */
  purge(names: readonly string[], removed: boolean): void;
  /** How many words wait, by the name of the cache. */
  waiting(): ReadonlyMap<string, number>;
  /** The last failure of each cache whose last call has failed, by its name. */
  failures(): ReadonlyMap<string, PurgeFailure>;
  /** Sends what waits once more, and ends: for the end of the process. */
  settled(): Promise<void>;
}

export interface CdnPurgerOptions {
  targets: readonly PurgeTarget[];
  call: HttpCall;
  /** @returns the names below a name that answers may have. */
  below: (name: string) => readonly string[];
  /** Resolves when every replica has applied what was applied here, or cannot be waited for. */
  whenShared?: () => Promise<void>;
  /** Counts the words that were `purged` in a cache, those that were sent once more (`again`), and the calls that have `failed`. */
  count: (target: string, outcome: 'purged' | 'again' | 'failed', times: number) => void;
  log: Logger;
  /** After this time a purge is sent once more, in ms. */
  againAfterMs?: number;
}

/** The time limit of a call, in ms. */
const TIMEOUT_MS = 5_000;
/** A miss that began before the purge may have brought an old answer after it. This is longer than such a miss takes. */
const AGAIN_AFTER_MS = 5_000;
/** The longest part of a refusal that is read, in characters. */
const MAX_READ = 4_000;

/** @returns the purger of caches in front. Each of them has a queue of its own, so that one that fails holds up no other. */
export function createCdnPurger(options: CdnPurgerOptions): CdnPurger {
  const { targets, call, below, count, log, againAfterMs = AGAIN_AFTER_MS } = options;
  const whenShared = options.whenShared ?? (async () => {});
  const timers = new Set<NodeJS.Timeout>();
  const failures = new Map<string, PurgeFailure>();

  const queues = new Map(targets.map(target => [target.name, queueOf(target)]));

  function queueOf(target: PurgeTarget): TargetQueue {
    const queue = new TargetQueue({
      target,
      whenShared,
      send: (words, isHard) => send(target, words, isHard),
      onSent(words) {
        if (failures.delete(target.name))
          log.info({ target: target.name }, 'cdn purge: the cache in front is purged again');
        const first = [...words].filter(([, { isAgain }]) => !isAgain);
        count(target.name, 'again', words.size - first.length);
        count(target.name, 'purged', first.length);
        if (first.length === 0) return;
        later(() => {
          for (const [word, { isHard }] of first) queue.add([word], { isHard, isAgain: true });
        });
      },
      onFailure(error, waiting) {
        count(target.name, 'failed', 1);
        const failure = purgeFailure(target.name, error);
        // Another remedy is news, also while purges fail.
        const isKnown = failures.get(target.name)?.remedy === failure.remedy;
        log[isKnown ? 'debug' : 'error'](
          { target: target.name, waiting, ...failure },
          'cdn purge: the cache in front cannot be purged and may show old pages; it is tried again',
        );
        failures.set(target.name, failure);
      },
    });
    return queue;
  }

  function later(work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, againAfterMs).unref();
    timers.add(timer);
  }

  async function send(target: PurgeTarget, words: readonly string[], isHard: boolean): Promise<void> {
    const { address, ...request } = target.call(words, isHard);
    const answer = await call(address, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    let text = '';
    for await (const chunk of answer.body) if (text.length < MAX_READ) text += chunk;
    if (answer.status !== 200) throw new PurgeRefusedError(target.name, answer.status, text);
  }

  return {
    purge(names, removed) {
      if (names.length === 0) return;
      const words = purgedWords(names, below);
      for (const queue of queues.values()) {
        // The pages about removed content are removed. Others, which show it among other things, become stale.
        if (removed) queue.add(ownWords(names), { isHard: true, isAgain: false });
        queue.add(words, { isHard: false, isAgain: false });
      }
    },
    failures: () => failures,
    waiting: () => new Map([...queues].map(([name, queue]) => [name, queue.waiting])),
    async settled() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([...queues.values()].map(queue => queue.stop()));
    },
  };
}
