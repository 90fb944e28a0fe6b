import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file so that it is whole or not there, whatever happens, and still there after a power cut: written as a
 * draft, synced, renamed, and the folder synced.
 *
 * @param drafts a folder on the same file system. What a crash leaves there was never promised to anybody.
 * @throws the system's error (`ENOSPC`, `EDQUOT`, `EIO` …); the draft is then removed.
 */
export type WriteDurably = (file: string, drafts: string, text: string) => Promise<void>;

export const writeDurably: WriteDurably = async (file, drafts, text) => {
  const draft = path.join(drafts, randomUUID());
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
};

/** Makes the names in a folder durable. Windows has no such call, and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
