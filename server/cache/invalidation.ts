import type { InvalidationLog } from './invalidation-log.ts';

/** A cache of values made from content. */
export interface Invalidatable {
  /** Makes every entry with one of the tags stale; `*` stands for all tags. */
  invalidate(tags: readonly string[]): void;
  /** Removes the entries that are about one of the tags, and makes every other entry with one of them stale. */
  remove(tags: readonly string[]): void;
}

/**
 * Combines all caches, so that a change reaches them together: `invalidate` when content has changed, `remove` when it was unpublished or
 * deleted. A tag names a type of content (`articles`) or one entry (`articles:42`).
 *
 * @param layers the caches in the order in which they fill each other: content before pages.
 */
export function createInvalidation(log: InvalidationLog, layers: readonly Invalidatable[]): Invalidatable {
  return {
    invalidate(tags) {
      log.note(tags, false);
      for (const layer of layers) layer.invalidate(tags);
    },
    remove(tags) {
      log.note(tags, true);
      for (const layer of layers) layer.remove(tags);
    },
  };
}
