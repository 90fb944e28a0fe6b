import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export interface WriteFileOptions {
  /** Sync the file before the rename and its folder after it, so that the file outlives a power cut. */
  durable?: boolean;
  /** The folder of the draft, on the same file system. By default the file's own folder. */
  draftsDir?: string;
  /** Permissions of the file. By default those of the process's umask. */
  mode?: number;
}

/** The contents of a file: in one piece, or in chunks as they come. */
export type FileContents = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a file that readers never see in part: the contents go into a draft, which is then renamed. The name of a draft ends in
 * `.part`, and a crash may leave one behind. The folder has to exist.
 *
 * @throws the system's error (`ENOSPC`, `EDQUOT`, `EIO` …) or the error of the chunks. The draft is then removed.
 */
export type WriteFileAtomically = (
  file: string,
  contents: FileContents,
  options?: WriteFileOptions,
) => Promise<void>;

export const writeFileAtomically: WriteFileAtomically = async (file, contents, options = {}) => {
  const { durable = false, draftsDir = path.dirname(file), mode } = options;
  const draft = path.join(draftsDir, `${path.basename(file)}.${randomUUID()}.part`);
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(contents);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  if (durable) await syncFolder(path.dirname(file));
};

/** Syncs a folder, so that the names in it are durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
