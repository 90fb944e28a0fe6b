import { EVERYTHING, type InvalidationLog } from './invalidation-log.ts';
import type { InvalidationOperation } from './invalidation-operation.ts';
import type { LogPosition } from './log-position.ts';
import { isBelow, parseTag } from './tags.ts';

/** A cache of values made from content. */
export interface Invalidatable {
  /**
   * Makes every entry with one of the tags, or with a tag below it, stale; `*` stands for all tags. A tag with a version (`articles:42#Xb0e`)
   * says which version is current: entries that were made from this version stay fresh, and names below are not meant.
   */
  invalidate(tags: readonly string[]): void;
  /** Removes the entries that are about one of the tags, and makes every other entry with one of them stale. */
  remove(tags: readonly string[]): void;
  /** Makes every entry stale, as at the end of its time to live: nobody knows of a change, so no reader waits for another entry. */
  expireAll(): void;
  /** @returns the versions of a tag's name that entries in memory carry; null stands for a tag without a version. */
  versionsOf(name: string): ReadonlySet<string | null>;
  /** @returns the names below a name that entries in memory carry. */
  namesBelow(name: string): readonly string[];
}

/** All caches together. What it does is done by other processes of the site, too. */
export interface Invalidation extends Invalidatable {
  /** Makes content with one of the tags stale, and every value with one of them that is in flight or on disk. Pages in memory stay as they are. */
  invalidateContent(tags: readonly string[]): void;
  /**
   * Makes everything stale that carries a name which a level begins after `above` (`@` for `articles@guides.1`), but not the kept names and those
   * below them. Another process has other names in memory.
   *
   * @returns the names in memory that were meant.
   */
  invalidateOthers(above: string, level: string, kept: readonly string[]): readonly string[];
  /** Invalidates tags in the memory of other processes alone: this one has found that nothing in its memory is outdated. */
  invalidateElsewhere(tags: readonly string[]): void;
  /** Invalidates names in caches in front alone. Names with versions are not invalidated there otherwise: they may be as before. */
  invalidateInFront(names: readonly string[]): void;
  /** Carries out what another process has done. @param position its place in the shared log. */
  carryOut(operation: InvalidationOperation, position: LogPosition): void;
  /** Makes tags stale in all processes, and not in caches in front. */
  doubt(tags: readonly string[]): void;
  /** Lets everything expire, in this process alone. `expireAll` does so in all processes. */
  expireAllHere(): void;
  /** Removes, in this process alone. */
  removeHere(tags: readonly string[]): void;
}

/**
 * Combines all caches, so that a change reaches them together: `invalidate` when content has changed, `remove` when it was unpublished or
 * deleted. A tag names a type of content (`articles`), one entry (`articles:42`) or a part of it (`articles:42.card`).
 *
 * @param layers the caches in the order in which they fill each other: content before pages.
 * @param share called with each operation, for the other processes of the site. Without it there are none.
 * @param inFront called with the names that caches in front have to purge, and whether their content was removed. Another process of the site calls
 *   its own for what it has done.
 */
export function createInvalidation(
  log: InvalidationLog,
  layers: readonly [content: Invalidatable, ...Invalidatable[]],
  share: ((operation: InvalidationOperation) => void) | null = null,
  inFront: (names: readonly string[], removed: boolean) => void = () => {},
): Invalidation {
  const [content] = layers;
  const namesBelow = (name: string) => layers.flatMap(layer => layer.namesBelow(name));

  function invalidate(tags: readonly string[], order: LogPosition | 'pending' | undefined): void {
    log.note(tags, false, order);
    for (const layer of layers) layer.invalidate(tags);
  }

  function expireAll(order: LogPosition | 'pending' | undefined): void {
    log.note([EVERYTHING], false, order);
    for (const layer of layers) layer.expireAll();
  }

  /** @param order the operation's position in the shared log, or that it has none yet; none at all where nothing is shared. */
  function carryOut(operation: InvalidationOperation, order?: LogPosition | 'pending'): readonly string[] {
    switch (operation.kind) {
      case 'invalidate':
        invalidate(operation.tags, order);
        return operation.tags;
      case 'remove':
        log.note(operation.tags, true, order);
        for (const layer of layers) layer.remove(operation.tags);
        return operation.tags;
      case 'expire-all':
        expireAll(order);
        return [EVERYTHING];
      case 'invalidate-content':
        log.note(operation.tags, false, order);
        content.invalidate(operation.tags);
        return operation.tags;
      case 'invalidate-memory':
        for (const layer of layers) layer.invalidate(operation.tags);
        return operation.tags;
      case 'invalidate-others': {
        const { above, level, kept } = operation;
        const others = namesBelow(above).filter(
          name => name.startsWith(above + level) && !kept.some(one => name === one || isBelow(name, one)),
        );
        // The names are those of this process, so the note is of no concern to others.
        if (others.length > 0) invalidate(others, undefined);
        return others;
      }
    }
  }

  function perform(operation: InvalidationOperation): readonly string[] {
    const done = carryOut(operation, share ? 'pending' : undefined);
    share?.(operation);
    if (operation.kind !== 'invalidate-content')
      inFront(
        done.filter(tag => parseTag(tag).version === null),
        operation.kind === 'remove',
      );
    return done;
  }

  return {
    invalidate: tags => void perform({ kind: 'invalidate', tags: [...tags] }),
    remove: tags => void perform({ kind: 'remove', tags: [...tags] }),
    invalidateContent: tags => void perform({ kind: 'invalidate-content', tags: [...tags] }),
    invalidateOthers: (above, level, kept) =>
      perform({ kind: 'invalidate-others', above, level, kept: [...kept] }),
    invalidateElsewhere: tags => share?.({ kind: 'invalidate-memory', tags: [...tags] }),
    invalidateInFront: names => inFront(names, false),
    carryOut: (operation, position) => void carryOut(operation, position),
    doubt(tags) {
      invalidate(tags, undefined);
      share?.({ kind: 'invalidate-memory', tags: [...tags] });
    },
    expireAll: () => void perform({ kind: 'expire-all' }),
    expireAllHere: () => expireAll(undefined),
    removeHere: tags => void carryOut({ kind: 'remove', tags: [...tags] }),
    versionsOf: name => new Set(layers.flatMap(layer => [...layer.versionsOf(name)])),
    namesBelow,
  };
}

/** @returns the tags whose places in the shared log an operation decides, and whether it removes them; null for an operation that notes none. */
export function notedBy(
  operation: InvalidationOperation,
): { tags: readonly string[]; removed: boolean } | null {
  if (operation.kind === 'invalidate-others' || operation.kind === 'invalidate-memory') return null;
  if (operation.kind === 'expire-all') return { tags: [EVERYTHING], removed: false };
  return { tags: operation.tags, removed: operation.kind === 'remove' };
}
