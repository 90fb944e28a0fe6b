import type { InvalidationLog } from '../cache/tags/invalidation-log.ts';
import { mediaTag } from '../content/tags/media-tags.ts';

export type FileEvents = ReturnType<typeof createFileEvents>;

/** Changes of files by path, as events of the CMS report them. The invalidation log stores them. */
export function createFileEvents(log: Pick<InvalidationLog, 'last' | 'mark' | 'after' | 'since'>) {
  return {
    /** Whether the last event about a file came at or after `time`, in ms since the epoch. */
    changedSince: (path: string, time: number) => (log.last(mediaTag(path))?.invalidatedAt ?? 0) >= time,
    isDeleted(path: string) {
      const last = log.last(mediaTag(path));
      return last !== null && last.removedAt > 0 && last.removedAt === last.invalidatedAt;
    },
    /** @returns the current position among the events, for `changedAfter`. */
    mark: () => log.mark(),
    /** Whether an event about a file has come after a position from `mark`. */
    changedAfter: (path: string, mark: number) => log.after([mediaTag(path)], mark),
    /** Whether an event without file names has come at or after a time, in ms since the epoch. */
    anyChangedSince: (time: number) => log.since([], time),
  };
}
