import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DiskHealth, UNWATCHED } from './disk-health.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** A small JSON file that follows a value in memory. */
export interface SavedFile {
  /** Writes the value soon. Changes during a write lead to one more write. */
  changed(): void;
  /** Resolves when the file holds the current value, or its write has failed. */
  settled(): Promise<void>;
}

export interface SavedFileOptions {
  /** Absolute path. Its folder is created with the first write. */
  file: string;
  value: () => unknown;
  delayMs?: number;
  /** The file is written again when the disk has recovered. */
  health?: DiskHealth | undefined;
  /** Called after a write. A rejection counts as a failed write. */
  onWritten?: () => Promise<void>;
  /** Called when the file cannot be written, although the disk works. The next change retries. */
  onFailure: (error: unknown) => void;
}

export function createSavedFile(options: SavedFileOptions): SavedFile {
  const { file, value, delayMs = 0, health = UNWATCHED, onWritten, onFailure } = options;
  let hasUnsaved = false;
  let saving: Promise<void> | null = null;
  let hurry = new AbortController();

  async function save(): Promise<void> {
    while (hasUnsaved) {
      if (delayMs > 0) await delay(delayMs, undefined, { ref: false, signal: hurry.signal }).catch(() => {});
      hasUnsaved = false;
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFileAtomically(file, JSON.stringify(value()));
        await onWritten?.();
      } catch (error) {
        if (!(await health.explains(error))) onFailure(error);
      }
    }
    saving = null;
  }

  function changed(): void {
    hasUnsaved = true;
    saving ??= save();
  }

  health.watch(path.dirname(file));
  // Write again after a recovery, because a removed folder loses the file without a failed write.
  health.onRecovery(changed);
  return {
    changed,
    async settled() {
      hurry.abort();
      await saving;
      hurry = new AbortController();
    },
  };
}

/** @returns null if the file is missing or damaged, which is when `decode` throws. */
export function readSavedFile<T>(
  file: string,
  decode: (value: unknown) => T,
  onDamage: (error: unknown) => void,
): T | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  try {
    return decode(JSON.parse(text));
  } catch (error) {
    onDamage(error);
    return null;
  }
}
