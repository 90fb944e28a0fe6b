import type { InvalidationLog } from '../cache/invalidation-log.ts';
import { mediaTag } from '../content/content-tags.ts';

/** The changes of files of which events of the CMS have told, by the paths of the files. The log of invalidations has it, so that it outlives the process. */
export interface FileEvents {
  /** @returns whether the last event about a file came at or after a time, in ms since the epoch. */
  changedSince(path: string, time: number): boolean;
  /** @returns whether the last event about a file has told that it was deleted. */
  isDeleted(path: string): boolean;
  /** @returns the current position among the events, for `changedAfter`. */
  mark(): number;
  /** @returns whether an event about a file has come after a position. What was begun before it is of the old file. */
  changedAfter(path: string, mark: number): boolean;
  /** @returns whether an event without the name of a file has come at or after a time, in ms since the epoch. */
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
    mark: log.mark,
    changedAfter: (path, mark) => log.after([mediaTag(path)], mark),
    anyChangedSince: time => log.since([], time),
  };
}

/** For a store without events. */
export const NO_FILE_EVENTS: FileEvents = {
  changedSince: () => false,
  isDeleted: () => false,
  mark: () => 0,
  changedAfter: () => false,
  anyChangedSince: () => false,
};
