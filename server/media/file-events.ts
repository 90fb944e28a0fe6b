import type { InvalidationLog } from '../cache/tags/invalidation-log.ts';
import { mediaTag } from '../content/tags/media-tags.ts';

/** Changes of files by path, as events of the CMS report them. The invalidation log stores them. */
export interface FileEvents {
  /** Whether the last event about a file came at or after `time`, in ms since the epoch. */
  changedSince(path: string, time: number): boolean;
  isDeleted(path: string): boolean;
  /** @returns the current position among the events, for `changedAfter`. */
  mark(): number;
  /** Whether an event about a file has come after a position from `mark`. */
  changedAfter(path: string, mark: number): boolean;
  /** Whether an event without file names has come at or after a time, in ms since the epoch. */
  anyChangedSince(time: number): boolean;
}

export function createFileEvents(
  log: Pick<InvalidationLog, 'last' | 'mark' | 'after' | 'since'>,
): FileEvents {
  return {
    changedSince: (path, time) => (log.last(mediaTag(path))?.invalidatedAt ?? 0) >= time,
    isDeleted(path) {
      const last = log.last(mediaTag(path));
      return last !== null && last.removedAt > 0 && last.removedAt === last.invalidatedAt;
    },
    mark: () => log.mark(),
    changedAfter: (path, mark) => log.after([mediaTag(path)], mark),
    anyChangedSince: time => log.since([], time),
  };
}
