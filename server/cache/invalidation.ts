import type { InvalidationLog } from './invalidation-log.ts';

/** A cache of values made from content. */
export interface Invalidatable {
  /**
   * Makes every entry with one of the tags, or with a tag below it, stale; `*` stands for all tags. A tag with a version (`articles:42#Xb0e`)
   * says which version is current: entries that were made from this version stay fresh, and names below are not meant.
   */
  invalidate(tags: readonly string[]): void;
  /** Removes the entries that are about one of the tags, and makes every other entry with one of them stale. */
  remove(tags: readonly string[]): void;
  /** @returns the versions of a tag's name that entries in memory carry; null stands for a tag without a version. */
  versionsOf(name: string): ReadonlySet<string | null>;
  /** @returns the names below a name that entries in memory carry. */
  namesBelow(name: string): readonly string[];
}

/** All caches together. */
export interface Invalidation extends Invalidatable {
  /** Makes values with one of the tags stale that are in flight or on disk. Entries in memory stay as they are. */
  invalidateOutsideMemory(tags: readonly string[]): void;
}

/**
 * Combines all caches, so that a change reaches them together: `invalidate` when content has changed, `remove` when it was unpublished or
 * deleted. A tag names a type of content (`articles`), one entry (`articles:42`) or a part of it (`articles:42.card`).
 *
 * @param layers the caches in the order in which they fill each other: content before pages.
 */
export function createInvalidation(log: InvalidationLog, layers: readonly Invalidatable[]): Invalidation {
  return {
    invalidate(tags) {
      log.note(tags, false);
      for (const layer of layers) layer.invalidate(tags);
    },
    remove(tags) {
      log.note(tags, true);
      for (const layer of layers) layer.remove(tags);
    },
    invalidateOutsideMemory: tags => log.note(tags, false),
    versionsOf: name => new Set(layers.flatMap(layer => [...layer.versionsOf(name)])),
    namesBelow: name => layers.flatMap(layer => layer.namesBelow(name)),
  };
}
