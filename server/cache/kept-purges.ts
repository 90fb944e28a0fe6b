import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Logger } from '../ops/log.ts';
import { createPurges, type Purges } from './purges.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** Purges that outlive the process. */
export interface KeptPurges extends Purges {
  /** Resolves when all that was noted is on the disk. */
  settled(): Promise<void>;
}

const entriesSchema = z.array(z.tuple([z.string(), z.number(), z.number()]));

/**
 * Purges that are kept in a file, so that what was unpublished does not come back from the disk with the next process.
 * They are read at once, before anything can be found on the disk, and written behind what notes them, all in one go.
 *
 * @param now the clock, in ms.
 */
export function createKeptPurges(file: string, log: Logger, now = Date.now): KeptPurges {
  const purges = createPurges(now);
  purges.restore(readEntries(file, log));
  let isDirty = false;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (isDirty) {
      isDirty = false;
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFileAtomically(file, JSON.stringify(purges.entries()));
      } catch (error) {
        log.warn({ err: error, file }, 'last good: the purges could not be written');
      }
    }
    writing = null;
  }

  return {
    ...purges,
    note(tags, dropped) {
      purges.note(tags, dropped);
      isDirty = true;
      writing ??= write();
    },
    settled: () => writing ?? Promise.resolve(),
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
    log.warn({ err: error, file }, 'last good: a damaged file is passed over');
    return [];
  }
}
