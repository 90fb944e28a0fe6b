import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Calls back when a file in one of some folders, or below, is written, added, renamed or removed. Hidden files and
 * backups are left out: they are the editor's own.
 *
 * Each folder has a watcher of its own. Node's recursive one watches single files on Linux, and loses those that an editor
 * saves by renaming a new file to the old name.
 *
 * @param roots absolute paths.
 */
export async function watchFolders(roots: readonly string[], onChange: () => void): Promise<void> {
  const watchers = new Map<string, FSWatcher>();

  const forget = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  };
  const watchTree = async (folder: string): Promise<void> => {
    // Gone again already: the folder above has told, or will tell, of that too.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (!entries || watchers.has(folder)) return;
    const watcher = watch(folder, (event, file) => {
      if (!file || /^\.|~$/.test(file)) return;
      onChange();
      if (event !== 'rename') return;
      // It may be a folder: new, removed, or another one by the name of the last.
      const path = join(folder, file);
      forget(path);
      // Its failure is that it has gone in this very moment.
      void watchTree(path).then(onChange, onChange);
    });
    watcher.once('error', () => forget(folder));
    watchers.set(folder, watcher);
    await Promise.all(
      entries.filter(entry => entry.isDirectory()).map(entry => watchTree(join(folder, entry.name))),
    );
  };
  await Promise.all(roots.map(watchTree));
}
