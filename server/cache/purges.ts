/** What was purged and when. A value that was begun before is not to be stored after. */
export interface Purges {
  /**
   * @param tags what has changed.
   * @param dropped whether it is gone (unpublished, deleted) and must not even stand in for a failure.
   */
  note(tags: readonly string[], dropped: boolean): void;
  /** A point between two purges: what happens in one millisecond has an order too. */
  mark(): number;
  /** @returns whether something with one of the tags was purged after a mark. */
  after(tags: readonly string[], mark: number): boolean;
  /** @returns whether something with one of the tags was purged at this time or later, in ms. */
  since(tags: readonly string[], time: number): boolean;
  /** @returns whether something with one of the tags has gone at this time or later. */
  droppedSince(tags: readonly string[], time: number): boolean;
  /** All that is remembered, for the disk. */
  entries(): readonly PurgeEntry[];
  restore(entries: readonly PurgeEntry[]): void;
}

export type PurgeEntry = readonly [tag: string, purgedAt: number, droppedAt: number];

/** Tags remembered; the oldest are forgotten first. */
const MAX_TAGS = 20_000;
/** Stands for all tags. */
export const EVERYTHING = '*';

/** @param now the clock, in ms. */
export function createPurges(now = Date.now): Purges {
  const purged = new Map<string, { purgedAt: number; droppedAt: number; order: number }>();
  let lastOrder = 0;

  function set(tag: string, purgedAt: number, droppedAt: number, order: number): void {
    purged.delete(tag);
    purged.set(tag, { purgedAt, droppedAt, order });
    for (const oldest of purged.keys()) {
      if (purged.size <= MAX_TAGS) break;
      purged.delete(oldest);
    }
  }

  return {
    note(tags, dropped) {
      const at = now();
      lastOrder += 1;
      for (const tag of tags) set(tag, at, dropped ? at : (purged.get(tag)?.droppedAt ?? 0), lastOrder);
    },
    mark: () => lastOrder,
    after: (tags, mark) => [EVERYTHING, ...tags].some(tag => (purged.get(tag)?.order ?? 0) > mark),
    since(tags, time) {
      return (
        (purged.get(EVERYTHING)?.purgedAt ?? -1) >= time ||
        tags.some(tag => (purged.get(tag)?.purgedAt ?? -1) >= time)
      );
    },
    droppedSince: (tags, time) => tags.some(tag => (purged.get(tag)?.droppedAt ?? -1) >= time),
    entries: () => [...purged].map(([tag, { purgedAt, droppedAt }]) => [tag, purgedAt, droppedAt]),
    restore(entries) {
      for (const [tag, purgedAt, droppedAt] of entries) set(tag, purgedAt, droppedAt, 0);
    },
  };
}
