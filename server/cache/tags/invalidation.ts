import * as z from 'zod';
import { EVERYTHING, type InvalidationLog } from './invalidation-log.ts';
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
  /** @returns the versions of a name's tags; null for an unversioned tag. Layers without tags lack this. */
  versionsOf?(name: string): ReadonlySet<string | null>;
  namesBelow?(name: string): readonly string[];
}

const tags = z.array(z.string().min(1)).readonly();

/** An operation on all caches as plain JSON, so that other processes can run it. */
export const operationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invalidate'), tags }),
  z.object({ kind: z.literal('remove'), tags }),
  z.object({ kind: z.literal('expire-all') }),
  z.object({ kind: z.literal('invalidate-content'), tags }),
  z.object({ kind: z.literal('invalidate-memory'), tags }),
  z.object({
    kind: z.literal('invalidate-others'),
    above: z.string().min(1),
    level: z.string().length(1),
    kept: tags,
  }),
]);

type InvalidationOperation = z.infer<typeof operationSchema>;

export type Invalidation = ReturnType<typeof createInvalidation>;

/**
 * Invalidates all caches together, here, in other processes (`share`) and in CDNs (`inFront`).
 * @param layers the caches in the order of their data flow: content before pages.
 */
export function createInvalidation(
  log: InvalidationLog,
  layers: readonly [content: Invalidatable, ...Invalidatable[]],
  share: (operation: InvalidationOperation) => void = () => {},
  inFront: (names: readonly string[], removed: boolean) => void = () => {},
) {
  const [content] = layers;
  const namesBelow = (name: string) => layers.flatMap(layer => layer.namesBelow?.(name) ?? []);

  function invalidate(tags: readonly string[], position: LogPosition | undefined): void {
    log.note(tags, false, position);
    for (const layer of layers) layer.invalidate(tags);
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
        log.note([EVERYTHING], false, position);
        for (const layer of layers) layer.expireAll();
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
        // Pass no position, because the operation stands for different names in each process.
        if (others.length > 0) invalidate(others, undefined);
        return others;
      }
    }
  }

  function perform(operation: InvalidationOperation): readonly string[] {
    const done = carryOut(operation);
    share(operation);
    if (operation.kind !== 'invalidate-content')
      inFront(
        done.filter(tag => parseTag(tag).version === null),
        operation.kind === 'remove',
      );
    return done;
  }

  return {
    invalidate: (tags: readonly string[]): void => void perform({ kind: 'invalidate', tags }),
    remove: (tags: readonly string[]): void => void perform({ kind: 'remove', tags }),
    expireAll: (): void => void perform({ kind: 'expire-all' }),
    /** Makes content stale, including values in flight or on disk. Pages in memory stay fresh. */
    invalidateContent: (tags: readonly string[]): void => void perform({ kind: 'invalidate-content', tags }),
    /**
     * Invalidates all names that begin with `above` + `level`, except `kept` and the names below them:
     * `articles` and `@` match `articles@guides.1`. Returns the invalidated names in this process's memory.
     */
    invalidateOthers: (above: string, level: string, kept: readonly string[]) =>
      perform({ kind: 'invalidate-others', above, level, kept }),
    /** Invalidates tags in other processes only, where they may be outdated. */
    invalidateElsewhere: (tags: readonly string[]) => share({ kind: 'invalidate-memory', tags }),
    /** Purges names in CDNs only. Names have no version, because surrogate keys have none. */
    invalidateInFront: (names: readonly string[]) => inFront(names, false),
    /** Runs an operation in this process only. @param position its position in the shared log. */
    carryOut: (operation: InvalidationOperation, position?: LogPosition): void =>
      void carryOut(operation, position),
    /** Makes tags stale in all processes, but not in CDNs. */
    doubt(tags: readonly string[]) {
      invalidate(tags, undefined);
      share({ kind: 'invalidate-memory', tags });
    },
    versionsOf: (name: string) => new Set(layers.flatMap(layer => [...(layer.versionsOf?.(name) ?? [])])),
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
