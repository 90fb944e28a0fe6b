import { ownKeys, purgedKeys } from '../cache/tags/surrogate-keys.ts';
import { CdnQueue, type CdnQueueOptions } from './cdn-queue.ts';
import type { PurgeTarget } from './purge-calls.ts';
import type { PurgeFailure } from './purge-failure.ts';

export interface CdnPurgerOptions extends CdnQueueOptions {
  targets: readonly PurgeTarget[];
  /** Lists the names below a name that answers may have as surrogate keys. */
  below: (name: string) => readonly string[];
}

/** Purges CDNs. Each CDN has a queue, so that a failing CDN does not delay the others. */
export class CdnPurger {
  readonly #below: CdnPurgerOptions['below'];
  readonly #queues: ReadonlyMap<string, CdnQueue>;

  constructor({ targets, below, ...options }: CdnPurgerOptions) {
    this.#below = below;
    this.#queues = new Map(targets.map(target => [target.name, new CdnQueue(target, options)]));
  }

  /** Makes answers stale that have a name, its parent or a child. If `removed`, removes its answers. */
  purge(names: readonly string[], removed: boolean): void {
    if (names.length === 0) return;
    const words = purgedKeys(names, this.#below);
    for (const queue of this.#queues.values()) {
      // Remove answers that have the name itself. Those with its parent or a child only become stale.
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
