import { steadyNow } from '../ops/steady-clock.ts';
import type { DiskStore } from './disk-store.ts';

/** Records that were removed from a store, and may be wanted back. */
export interface RemovedRecords {
  /** Copies a record before it is removed or replaced. */
  setAside(key: string): Promise<void>;
  /** Puts records back, in place of those that came after them. @returns their keys. */
  restore(matches: (key: string) => boolean): Promise<readonly string[]>;
  /**
   * Deletes the records that are older than KEPT_MS.
   *
   * @param pausedMs a time that does not count, in ms.
   */
  sweep(pausedMs?: number): Promise<void>;
}

/** How long a removed record is kept, in ms. */
const KEPT_MS = 24 * 3_600_000;

/**
 * @param store the store that records are removed from.
 * @param removed the store that keeps them.
 * @param now the clock, in ms.
 */
export function createRemovedRecords(
  store: DiskStore<null>,
  removed: DiskStore<null>,
  now = steadyNow,
): RemovedRecords {
  async function move(from: DiskStore<null>, to: DiskStore<null>, key: string): Promise<boolean> {
    const found = await from.readWithBody(key);
    if (found) await to.write(key, found.body, () => null);
    return found !== null;
  }

  return {
    async setAside(key) {
      await move(store, removed, key);
    },
    async restore(matches) {
      const keys: string[] = [];
      for await (const { key } of removed.entries()) {
        if (!matches(key) || !(await move(removed, store, key))) continue;
        await removed.remove(key);
        keys.push(key);
      }
      return keys;
    },
    async sweep(pausedMs = 0) {
      for await (const { key, usedAt } of removed.entries())
        if (now() - pausedMs - usedAt > KEPT_MS) await removed.remove(key);
    },
  };
}
