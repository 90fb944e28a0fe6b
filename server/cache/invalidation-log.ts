import { steadyNow } from '../ops/steady-clock.ts';
import { namesAbove, parseTag, versionedTag } from './tags.ts';

/** The invalidated tags and their times. A value whose generation began before an invalidation must not be stored after it. */
export interface InvalidationLog {
  /**
   * Notes an invalidation.
   *
   * @param tags the tags of the content that has changed. A tag with a version says which version is current.
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

/** A tag, with the version that was current, and its times in ms since the epoch; 0 means never. */
export type InvalidationEntry = readonly [tag: string, invalidatedAt: number, removedAt: number];

/** Most tags in the log. The oldest are forgotten first. */
const MAX_TAGS = 20_000;
/** The tag that stands for all tags. */
export const EVERYTHING = '*';

/** @param now the clock, in ms. */
export function createInvalidationLog(now = steadyNow): InvalidationLog {
  const noted = new Map<string, Note>();
  let lastPosition = 0;
  /** The newest time in the log. Most questions are about later ones, so they need no look at the tags. */
  let lastInvalidatedAt = Number.NEGATIVE_INFINITY;

  function set(name: string, note: Note): void {
    noted.delete(name);
    noted.set(name, note);
    for (const oldest of noted.keys()) {
      if (noted.size <= MAX_TAGS) break;
      noted.delete(oldest);
    }
  }

  /** @returns whether one of the tags was invalidated by a note that counts: on the same name with another version, or on a name above. */
  const isInvalidated = (tags: readonly string[], counts: (note: Note) => boolean) => {
    const isCovered = (name: string) => {
      const note = noted.get(name);
      return note !== undefined && note.version === null && counts(note);
    };
    return (
      isCovered(EVERYTHING) ||
      tags.some(tag => {
        const { name, version } = parseTag(tag);
        const note = noted.get(name);
        const isOutdated = note !== undefined && (note.version === null || note.version !== version);
        return (isOutdated && counts(note)) || namesAbove(name).some(isCovered);
      })
    );
  };

  return {
    note(tags, removed) {
      const at = now();
      lastPosition += 1;
      lastInvalidatedAt = Math.max(lastInvalidatedAt, at);
      for (const tag of tags) {
        const { name, version } = parseTag(tag);
        const removedAt = removed ? at : (noted.get(name)?.removedAt ?? 0);
        set(name, { version, invalidatedAt: at, removedAt, position: lastPosition });
      }
    },
    mark: () => lastPosition,
    after: (tags, mark) => lastPosition > mark && isInvalidated(tags, ({ position }) => position > mark),
    since: (tags, time) =>
      lastInvalidatedAt >= time && isInvalidated(tags, ({ invalidatedAt }) => invalidatedAt >= time),
    removedSince: (tags, time) => tags.some(tag => (noted.get(parseTag(tag).name)?.removedAt ?? -1) >= time),
    entries: () =>
      [...noted].map(([name, { version, invalidatedAt, removedAt }]) => [
        version === null ? name : versionedTag(name, version),
        invalidatedAt,
        removedAt,
      ]),
    restore(entries) {
      for (const [tag, invalidatedAt, removedAt] of entries) {
        const { name, version } = parseTag(tag);
        set(name, { version, invalidatedAt, removedAt, position: 0 });
        lastInvalidatedAt = Math.max(lastInvalidatedAt, invalidatedAt);
      }
    },
  };
}

/** The last invalidation of a name. */
interface Note {
  /** The version that was current then; null when it was not known. */
  version: string | null;
  invalidatedAt: number;
  removedAt: number;
  position: number;
}
