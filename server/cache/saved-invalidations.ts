import * as z from 'zod';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { DiskHealth } from './disk-health.ts';
import { createInvalidationLog, type InvalidationLog } from './invalidation-log.ts';
import { createSavedFile, readSavedFile } from './saved-file.ts';

/** An invalidation log that outlives the process. */
export interface SavedInvalidationLog extends InvalidationLog {
  /** Resolves when all noted invalidations are on disk. */
  settled(): Promise<void>;
}

const entriesSchema = z.array(
  z.tuple([z.string(), z.number(), z.number(), z.string().optional(), z.string().optional()]),
);

/**
 * Opens an invalidation log in a file, so that unpublished content does not come back from disk with the next process. The file is read
 * synchronously, before anything else is loaded from disk, and written after each note.
 *
 * @param now the clock, in ms.
 * @param health knows of a disk that cannot be written.
 */
export function openInvalidationLog(
  file: string,
  log: Logger,
  now = steadyNow,
  health?: DiskHealth,
): SavedInvalidationLog {
  const invalidations = createInvalidationLog(now);
  const saved = readSavedFile(
    file,
    value => entriesSchema.parse(value),
    error => log.warn({ err: error, file }, 'invalidation log: the file is damaged and counts as empty'),
  );
  invalidations.restore(saved ?? []);
  const { changed, settled } = createSavedFile({
    file,
    value: invalidations.entries,
    ...(health ? { health } : {}),
    onFailure: error => log.warn({ err: error, file }, 'invalidation log: the file could not be written'),
  });

  return {
    ...invalidations,
    note(tags, removed, order) {
      invalidations.note(tags, removed, order);
      changed();
    },
    acknowledge(tags, removed, position) {
      invalidations.acknowledge(tags, removed, position);
      changed();
    },
    restart() {
      const removed = invalidations.restart();
      changed();
      return removed;
    },
    settled,
  };
}
