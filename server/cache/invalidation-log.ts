/** The invalidated tags and their times. A value whose generation began before an invalidation must not be stored after it. */
export interface InvalidationLog {
  /**
   * Notes an invalidation.
   *
   * @param tags the tags of the content that has changed.
   * @param removed whether the content was unpublished or deleted, so that it must not be served stale either.
   */
  note(tags: readonly string[], removed: boolean): void;
  /** @returns the current position in the log. Positions also order invalidations of the same millisecond. */
  mark(): number;
  /** @returns whether one of the tags was invalidated after a position. */
  after(tags: readonly string[], mark: number): boolean;
  /** @returns whether one of the tags was invalidated at or after a time, in ms since the epoch. */
  since(tags: readonly string[], time: number): boolean;
  /** @returns whether the content of one of the tags was removed at or after a time, in ms since the epoch. */
  removedSince(tags: readonly string[], time: number): boolean;
  /** All noted tags, to be saved. */
  entries(): readonly InvalidationEntry[];
  /** Adds saved tags, for the start of a process. */
  restore(entries: readonly InvalidationEntry[]): void;
}

/** A tag with its times in ms since the epoch; 0 means never. */
export type InvalidationEntry = readonly [tag: string, invalidatedAt: number, removedAt: number];

/** Most tags in the log. The oldest are forgotten first. */
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
