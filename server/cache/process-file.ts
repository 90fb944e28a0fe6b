import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../ops/log.ts';
import type { DiskHealth } from './disk-health.ts';
import { isMissingFile, unlessMissing } from './missing-file.ts';
import { createSavedFile, type SavedFile } from './saved-file.ts';

export interface ProcessFileOptions<T> {
  /** The lines in the log for a file that cannot be decoded, and for one that cannot be written although the disk can. */
  lines: { readonly damaged: string; readonly unwritten: string };
  /** Absolute path without the id of the process: `invalidations.json` stands for `invalidations.ID.json`. */
  file: string;
  /** Throws for any other value than a file should hold. */
  decode: (value: unknown) => T;
  /** Adds what another process has written. Called at once for each file that is there, the oldest first, and again for a file that has changed since. */
  restore: (value: T) => void;
  /** @returns the value, which must be JSON. */
  value: () => unknown;
  /** How long changes are collected before a write, in ms. */
  delayMs?: number;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
}

/** A file that another process has written. */
interface OtherFile {
  file: string;
  text: string;
}

/** How often a folder is listed again because a file has gone in the meantime. */
const MOST_LISTINGS = 10;

/**
 * Opens a small JSON file of this process alone. Several processes may share a data folder, and none of them overwrites what another one knows: each
 * writes a file of its own. A process that starts reads all files synchronously, writes what they hold into its own, and removes them. A process that
 * still runs then writes its file anew at its next change.
 */
export function openProcessFile<T>(options: ProcessFileOptions<T>): SavedFile {
  const { lines, file, decode, restore, value, delayMs, health, log } = options;
  const id = randomUUID();
  const others = readOthers(file);
  for (const { text, file: other } of others) add(text, other);

  function add(text: string, from: string): void {
    try {
      restore(decode(JSON.parse(text)));
    } catch (error) {
      log.warn({ err: error, file: from }, lines.damaged);
    }
  }

  /** Removes the files whose content this process has written. @returns whether one of them had changed, so that the own file lacks something. */
  async function removeOthers(): Promise<boolean> {
    let hasMore = false;
    for (const { file: other, text } of others.splice(0)) {
      // Under another name nobody writes to it. A process that starts now finds it all the same.
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
    file: nameWith(file, id),
    value,
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(health ? { health } : {}),
    async onWritten() {
      if (others.length > 0 && (await removeOthers())) saved.changed();
    },
    onFailure: error => log.warn({ err: error, file }, lines.unwritten),
  });
  if (others.length > 0) saved.changed();
  return saved;
}

function nameWith(file: string, id: string): string {
  return file.replace(/\.json$/, `.${id}.json`);
}

/** @returns the files of other processes, the oldest first, and the one without an id that earlier releases have written. */
function readOthers(file: string): OtherFile[] {
  const folder = path.dirname(file);
  const [start, end] = [path.basename(file, '.json'), '.json'];
  for (let listing = 0; listing < MOST_LISTINGS; listing += 1) {
    try {
      return readdirSync(folder)
        .filter(name => name.endsWith(end) && (name === start + end || name.startsWith(`${start}.`)))
        .map(name => path.join(folder, name))
        .map(other => ({ other, at: statSync(other).mtimeMs }))
        .sort((one, two) => one.at - two.at)
        .map(({ other }) => ({ file: other, text: readFileSync(other, 'utf8') }));
    } catch (error) {
      if (!isMissingFile(error)) return [];
      // The folder is not there, or another process has just taken a file over.
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    }
  }
  return [];
}
