import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Watches folders and their subfolders, without hidden files and backups. Node's recursive watcher loses
 * replaced files on Linux. @throws Error with code ENOSPC or EMFILE if the system has no free watchers.
 */
export async function watchFolders(roots: readonly string[], onChange: () => void): Promise<() => void> {
  const watchers = new Map<string, FSWatcher>();

  const forget = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  };
  const watchTree = async (folder: string): Promise<void> => {
    // Ignore a missing folder, because its parent's watcher reports the removal.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (!entries || watchers.has(folder)) return;
    const watcher = watch(folder, (event, file) => {
      if (!file || (/^\.|~$/.test(file) && file !== '.well-known')) return;
      onChange();
      if (event !== 'rename') return;
      // Watch this path again, because it may be a folder that was added, removed or replaced.
      const path = join(folder, file);
      forget(path);
      // A failure to watch also means a change: the folder was removed meanwhile.
      void watchTree(path).then(onChange, onChange);
    });
    watcher.once('error', () => forget(folder));
    watchers.set(folder, watcher);
    await Promise.all(
      entries.filter(entry => entry.isDirectory()).map(entry => watchTree(join(folder, entry.name))),
    );
  };
  const stop = () => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  try {
    await Promise.all(roots.map(watchTree));
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
