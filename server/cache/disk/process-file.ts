import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../ops/log.ts';
import { isMissingFile, unlessMissing } from './missing-file.ts';
import { createSavedFile, type SavedFile, type SavedFileOptions } from './saved-file.ts';

export interface ProcessFileOptions<T> extends Pick<SavedFileOptions, 'value' | 'delayMs' | 'health'> {
  /** The name of the contents in log messages, such as `invalidation log`. */
  name: string;
  /** Absolute path without the process's id: `invalidations.json` means `invalidations.ID.json`. */
  file: string;
  decode: (value: unknown) => T;
  /** Adds the value of another process's file. Called for the oldest file first; again for a changed file. */
  restore: (value: T) => void;
  log: Logger;
}

/** Limit for repeated listings. A listing starts again when a file vanishes during it. */
const MOST_LISTINGS = 10;

/**
 * Opens a small JSON file of this process, because processes may share a folder. A new process reads all
 * files synchronously, copies their contents into its own file, and removes the others.
 */
export function openProcessFile<T>(options: ProcessFileOptions<T>): SavedFile {
  const { name, file, decode, restore, log } = options;
  const others = readOthers(file);
  for (const { text, file: other } of others) add(text, other);

  function add(text: string, from: string): void {
    try {
      restore(decode(JSON.parse(text)));
    } catch (error) {
      log.warn(
        { code: 'cache-file-damaged', err: error, file: from },
        `${name}: the file is damaged and counts as empty`,
      );
    }
  }

  /** Removes the files whose contents were copied. @returns whether one has changed since. */
  async function removeOthers(): Promise<boolean> {
    let hasMore = false;
    for (const { file: other, text } of others.splice(0)) {
      // No process writes to the renamed file, and a process that starts still finds it.
      const taken = nameWith(file, randomUUID());
      if (!(await unlessMissing(rename(other, taken).then(() => true)))) continue;
      const last = await readFile(taken, 'utf8');
      if (last === text) await rm(taken, { force: true });
      else {
        add(last, other);
        others.push({ file: taken, text: last });
        hasMore = true;
      }
    }
    return hasMore;
  }

  const saved = createSavedFile({
    ...options,
    file: nameWith(file, randomUUID()),
    async onWritten() {
      if (others.length > 0 && (await removeOthers())) saved.changed();
    },
    onFailure: error =>
      log.warn({ code: 'cache-file-unwritten', err: error, file }, `${name}: the file could not be written`),
  });
  if (others.length > 0) saved.changed();
  return saved;
}

function nameWith(file: string, id: string): string {
  return file.replace(/\.json$/, `.${id}.json`);
}

function readOthers(file: string): { file: string; text: string }[] {
  const folder = path.dirname(file);
  const start = `${path.basename(file, '.json')}.`;
  for (let listing = 0; listing < MOST_LISTINGS; listing += 1) {
    try {
      return readdirSync(folder)
        .filter(name => name.startsWith(start) && name.endsWith('.json'))
        .map(name => path.join(folder, name))
        .map(other => ({ other, at: statSync(other).mtimeMs }))
        .sort((one, two) => one.at - two.at)
        .map(({ other }) => ({ file: other, text: readFileSync(other, 'utf8') }));
    } catch (error) {
      if (!isMissingFile(error)) return [];
      // The folder is missing, or another process has just removed a file.
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    }
  }
  return [];
}
