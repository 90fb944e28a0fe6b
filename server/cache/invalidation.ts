import type { InvalidationLog } from './invalidation-log.ts';

/** Something that stores what was made from content. */
export interface Invalidatable {
  /** Makes every entry with one of the tags stale; `*` stands for all tags. */
  invalidate(tags: readonly string[]): void;
  /** Removes the entries that are about one of the tags, and makes every other entry with one of them stale. */
  remove(tags: readonly string[]): void;
}

/**
 * @param layers the caches, those first from which the others are filled.
 * @returns one place to tell all layers of a change, at once: `invalidate` when content has changed, `remove` when it is gone (unpublished,
 *   deleted). Tags are such as `articles` and `articles:42`.
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
