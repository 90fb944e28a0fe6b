import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Calls back when a file in the folders or below them is written, added, renamed or removed. Hidden files and editors'
 * backups are ignored.
 *
 * Each folder has a watcher of its own. On Linux, Node's recursive watcher watches single files, and loses a file that an
 * editor saves by renaming a new one to its name.
 *
 * @param roots absolute paths.
 * @returns a function that ends the watching.
 * @throws Error with the code ENOSPC or EMFILE when the system allows no more watchers. Nothing is watched then.
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
    // A folder that is gone already needs no watcher: the watcher of its parent reports the removal.
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
