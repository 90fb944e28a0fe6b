import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

interface WriteFileOptions {
  /** Syncs file and folder, so that the file survives a power cut. */
  durable?: boolean | undefined;
  /** The folder of the draft, on the same file system. By default it is the file's folder. */
  draftsDir?: string;
  mode?: number;
}

export type FileContents = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a file in a folder that exists. Readers never see a part: a draft (`*.part`) is renamed.
 * @throws the system's error or the error of the chunks. The draft is then removed.
 */
export type WriteFileAtomically = (
  file: string,
  contents: FileContents,
  options?: WriteFileOptions,
) => Promise<void>;

export const writeFileAtomically: WriteFileAtomically = async (file, contents, options = {}) => {
  const { durable = false, draftsDir = path.dirname(file), mode } = options;
  // Cut long names, so that the draft's name fits, too.
  const draft = path.join(draftsDir, `${path.basename(file).slice(0, 100)}.${randomUUID()}.part`);
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(contents);
      if (durable) await handle.sync();
    } finally {
      closeLater(handle);
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  if (durable) await syncFolder(path.dirname(file));
};

/** Makes the names in a folder durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    closeLater(handle);
  }
}

/** Closes a file without a wait, because on a busy event loop each wait lasts as long as a render. */
function closeLater(handle: FileHandle): void {
  handle.close().catch(() => {});
}
