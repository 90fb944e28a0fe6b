/** The tags that have been invalidated, and when. A value whose making began before must not be stored after. */
export interface InvalidationLog {
  /**
   * @param tags of the content that has changed.
   * @param removed whether that content is gone (unpublished, deleted) and must not be served stale either.
   */
  note(tags: readonly string[], removed: boolean): void;
  /** @returns a position in the log. It orders invalidations that fall into the same millisecond. */
  mark(): number;
  /** @returns whether one of the tags was invalidated after a mark. */
  after(tags: readonly string[], mark: number): boolean;
  /** @returns whether one of the tags was invalidated at a time or later, in ms since the epoch. */
  since(tags: readonly string[], time: number): boolean;
  /** @returns whether the content of one of the tags was removed at a time or later, in ms since the epoch. */
  removedSince(tags: readonly string[], time: number): boolean;
  /** All that is remembered, for the disk. */
  entries(): readonly InvalidationEntry[];
  restore(entries: readonly InvalidationEntry[]): void;
}

/** Times in ms since the epoch; 0 stands for never. */
export type InvalidationEntry = readonly [tag: string, invalidatedAt: number, removedAt: number];

/** Tags remembered; the oldest are forgotten first. */
const MAX_TAGS = 20_000;
/** The tag that stands for all tags. */
export const EVERYTHING = '*';

/** @param now the clock, in ms. */
export function createInvalidationLog(now = Date.now): InvalidationLog {
  const noted = new Map<string, { invalidatedAt: number; removedAt: number; position: number }>();
  let lastPosition = 0;

  function set(tag: string, invalidatedAt: number, removedAt: number, position: number): void {
    noted.delete(tag);
    noted.set(tag, { invalidatedAt, removedAt, position });
    for (const oldest of noted.keys()) {
      if (noted.size <= MAX_TAGS) break;
      noted.delete(oldest);
    }
  }

  return {
    note(tags, removed) {
      const at = now();
      lastPosition += 1;
      for (const tag of tags) set(tag, at, removed ? at : (noted.get(tag)?.removedAt ?? 0), lastPosition);
    },
    mark: () => lastPosition,
    after: (tags, mark) => [EVERYTHING, ...tags].some(tag => (noted.get(tag)?.position ?? 0) > mark),
    since(tags, time) {
      return (
        (noted.get(EVERYTHING)?.invalidatedAt ?? -1) >= time ||
        tags.some(tag => (noted.get(tag)?.invalidatedAt ?? -1) >= time)
      );
    },
    removedSince: (tags, time) => tags.some(tag => (noted.get(tag)?.removedAt ?? -1) >= time),
    entries: () => [...noted].map(([tag, { invalidatedAt, removedAt }]) => [tag, invalidatedAt, removedAt]),
    restore(entries) {
      for (const [tag, invalidatedAt, removedAt] of entries) set(tag, invalidatedAt, removedAt, 0);
    },
  };
}
