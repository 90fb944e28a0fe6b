import * as z from 'zod';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { DiskHealth } from './disk-health.ts';
import { createInvalidationLog, type InvalidationLog } from './invalidation-log.ts';
import { openProcessFile } from './process-file.ts';

/** An invalidation log that outlives the process. */
export interface SavedInvalidationLog extends InvalidationLog {
  /** Resolves when all noted invalidations are on disk. */
  settled(): Promise<void>;
}

const entriesSchema = z.array(
  z.tuple([z.string(), z.number(), z.number(), z.string().optional(), z.string().optional()]),
);

/**
 * Opens an invalidation log in a file, so that unpublished content does not come back from disk with the next process. The files of all processes that
 * share the folder are read synchronously, before anything else is loaded from disk. The own one is written after each note.
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
  const { changed, settled } = openProcessFile({
    ...{ file, log },
    lines: {
      damaged: 'invalidation log: the file is damaged and counts as empty',
      unwritten: 'invalidation log: the file could not be written',
    },
    decode: value => entriesSchema.parse(value),
    restore: invalidations.restore,
    value: invalidations.entries,
    ...(health ? { health } : {}),
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
