import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Logger } from '../ops/log.ts';
import { createInvalidationLog, type InvalidationLog } from './invalidation-log.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** An invalidation log that outlives the process. */
export interface SavedInvalidationLog extends InvalidationLog {
  /** Resolves when all noted invalidations are on disk. */
  settled(): Promise<void>;
}

const entriesSchema = z.array(z.tuple([z.string(), z.number(), z.number()]));

/**
 * Opens an invalidation log in a file, so that unpublished content does not come back from disk with the next process. The file is read
 * synchronously, before anything else is loaded from disk, and written after each note.
 *
 * @param now the clock, in ms.
 */
export function openInvalidationLog(file: string, log: Logger, now = Date.now): SavedInvalidationLog {
  const invalidations = createInvalidationLog(now);
  invalidations.restore(readEntries(file, log));
  let hasUnsaved = false;
  let saving: Promise<void> | null = null;

  async function save(): Promise<void> {
    while (hasUnsaved) {
      hasUnsaved = false;
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFileAtomically(file, JSON.stringify(invalidations.entries()));
      } catch (error) {
        log.warn({ err: error, file }, 'invalidation log: the file could not be written');
      }
    }
    saving = null;
  }

  return {
    ...invalidations,
    note(tags, removed) {
      invalidations.note(tags, removed);
      hasUnsaved = true;
      saving ??= save();
    },
    settled: () => saving ?? Promise.resolve(),
  };
}

function readEntries(file: string, log: Logger) {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  try {
    return entriesSchema.parse(JSON.parse(text));
  } catch (error) {
    log.warn({ err: error, file }, 'invalidation log: the file is damaged and counts as empty');
    return [];
  }
}
