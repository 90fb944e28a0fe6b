import { EVERYTHING, type InvalidationLog } from './invalidation-log.ts';
import type { InvalidationOperation } from './invalidation-operation.ts';
import type { LogPosition } from './log-position.ts';
import { isBelow, parseTag } from './tags.ts';

export interface Invalidatable {
  /**
   * Makes entries with a tag (`*`: any), or a tag below it, stale. A tag with a version (`articles:42#Xb0e`)
   * spares entries of this version and ignores tags below.
   */
  invalidate(tags: readonly string[]): void;
  /** Removes entries about one of the tags. Other entries with such a tag become stale. */
  remove(tags: readonly string[]): void;
  /** Makes every entry stale as if its time to live had ended, so no reader waits. */
  expireAll(): void;
  /** @returns the versions of a name's tags. Null means a tag without a version. */
  versionsOf(name: string): ReadonlySet<string | null>;
  namesBelow(name: string): readonly string[];
}

/** Invalidates all caches together, in this process and in other processes of the site. */
export interface Invalidation extends Invalidatable {
  /** Makes content stale, including values in flight or on disk. Pages in memory stay fresh. */
  invalidateContent(tags: readonly string[]): void;
  /**
   * Makes names stale that continue `above` with `level` (`@` for `articles@guides.1`), except the kept ones
   * and names below them. Returns those of the names that this process has in memory.
   */
  invalidateOthers(above: string, level: string, kept: readonly string[]): readonly string[];
  /** Invalidates tags in other processes only, where they may be outdated. */
  invalidateElsewhere(tags: readonly string[]): void;
  /** Purges names in CDNs only. Names have no version, because surrogate keys have none. */
  invalidateInFront(names: readonly string[]): void;
  /** Runs an operation of another process. @param position its position in the shared log. */
  carryOut(operation: InvalidationOperation, position: LogPosition): void;
  /** Makes tags stale in all processes, but not in CDNs. */
  doubt(tags: readonly string[]): void;
  expireAllHere(): void;
  /** Removes tags in this process. The shared log has their removals at `position` or earlier. */
  removeHere(tags: readonly string[], position: LogPosition): void;
}

/**
 * @param layers the caches in the order of their data flow: content before pages.
 * @param share called with each operation, for other processes of the site.
 * @param inFront called with the names to purge in CDNs.
 */
export function createInvalidation(
  log: InvalidationLog,
  layers: readonly [content: Invalidatable, ...Invalidatable[]],
  share: ((operation: InvalidationOperation) => void) | null = null,
  inFront: (names: readonly string[], removed: boolean) => void = () => {},
): Invalidation {
  const [content] = layers;
  const namesBelow = (name: string) => layers.flatMap(layer => layer.namesBelow(name));

  function invalidate(tags: readonly string[], position: LogPosition | undefined): void {
    log.note(tags, false, position);
    for (const layer of layers) layer.invalidate(tags);
  }

  function expireAll(position: LogPosition | undefined): void {
    log.note([EVERYTHING], false, position);
    for (const layer of layers) layer.expireAll();
  }

  function carryOut(operation: InvalidationOperation, position?: LogPosition): readonly string[] {
    switch (operation.kind) {
      case 'invalidate':
        invalidate(operation.tags, position);
        return operation.tags;
      case 'remove':
        log.note(operation.tags, true, position);
        for (const layer of layers) layer.remove(operation.tags);
        return operation.tags;
      case 'expire-all':
        expireAll(position);
        return [EVERYTHING];
      case 'invalidate-content':
        log.note(operation.tags, false, position);
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
        // Pass no position, because the operation in the shared log stands for other names in each process.
        if (others.length > 0) invalidate(others, undefined);
        return others;
      }
    }
  }

  function perform(operation: InvalidationOperation): readonly string[] {
    const done = carryOut(operation);
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
    removeHere: (tags, position) => void carryOut({ kind: 'remove', tags: [...tags] }, position),
    versionsOf: name => new Set(layers.flatMap(layer => [...layer.versionsOf(name)])),
    namesBelow,
  };
}

/** @returns the tags whose positions an operation sets; null for an operation without positions. */
export function notedBy(
  operation: InvalidationOperation,
): { tags: readonly string[]; removed: boolean } | null {
  if (operation.kind === 'invalidate-others' || operation.kind === 'invalidate-memory') return null;
  if (operation.kind === 'expire-all') return { tags: [EVERYTHING], removed: false };
  return { tags: operation.tags, removed: operation.kind === 'remove' };
}
