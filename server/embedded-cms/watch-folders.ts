import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Watches folders and all below them, apart from hidden files and backups. Node's own recursive watcher loses
 * replaced files on Linux. @throws Error with the code ENOSPC or EMFILE when the system allows no more
 * watchers.
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
    // A folder that is gone needs no watcher: its parent's watcher reports the removal.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (!entries || watchers.has(folder)) return;
    const watcher = watch(folder, (event, file) => {
      if (!file || (/^\.|~$/.test(file) && file !== '.well-known')) return;
      onChange();
      if (event !== 'rename') return;
      // The name may be a folder that was added, removed or replaced: watch it afresh.
      const path = join(folder, file);
      forget(path);
      // Watching fails when the folder is removed at this moment. That is a change, too.
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
