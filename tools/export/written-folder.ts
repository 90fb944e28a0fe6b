import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../server/cache/disk/write-file-atomically.ts';

/** A file that every export has. A folder without it is not ours to empty. */
const MARK = 'builds/latest.json';
/** Whether an export keeps an entry at the top of its folder, such as `.git` or `.nojekyll`. */
const isOfOthers = (name: string) => name.startsWith('.') && name !== '.well-known';

export interface FolderCounts {
  readonly files: number;
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

export class WrittenFolder {
  readonly #folder: string;
  readonly #files = new Set<string>();
  readonly #written: string[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws if the folder holds anything but an earlier export. */
  static async open(folder: string): Promise<WrittenFolder> {
    await mkdir(folder, { recursive: true });
    const names = (await readdir(folder)).filter(name => !isOfOthers(name));
    if (names.length > 0 && !existsSync(path.join(folder, MARK)))
      throw new Error(`${folder} is neither empty nor an earlier export: name another folder`);
    return new WrittenFolder(folder);
  }

  /** Reserves a file's name, so that two addresses never write one file at once. */
  claim(file: string): boolean {
    if (this.#files.has(file)) return false;
    this.#files.add(file);
    return true;
  }

  disclaim(file: string): void {
    this.#files.delete(file);
  }

  /** Writes a file, unless it holds these bytes already. @param file with slashes, below the folder. */
  async write(file: string, contents: Buffer | string): Promise<void> {
    this.#files.add(file);
    const bytes = Buffer.from(contents as string);
    const place = path.join(this.#folder, file);
    const before = await readFile(place).catch(() => null);
    if (before?.equals(bytes)) return;
    await mkdir(path.dirname(place), { recursive: true });
    await writeFileAtomically(place, bytes);
    this.#written.push(file);
  }

  /** Removes the files that this export has not written, and the folders that this empties. */
  async end(): Promise<FolderCounts> {
    const removed: string[] = [];
    await this.#tidy('', removed);
    return { files: this.#files.size, written: this.#written.sort(), removed: removed.sort() };
  }

  async #tidy(below: string, removed: string[]): Promise<boolean> {
    const entries = await readdir(path.join(this.#folder, below), { withFileTypes: true });
    let left = 0;
    for (const entry of entries) {
      const file = below + entry.name;
      const place = path.join(this.#folder, file);
      if (below === '' && isOfOthers(entry.name)) left += 1;
      else if (entry.isDirectory()) {
        if (await this.#tidy(`${file}/`, removed)) await rmdir(place);
        else left += 1;
      } else if (this.#files.has(file)) left += 1;
      else {
        await rm(place);
        removed.push(file);
      }
    }
    return left === 0;
  }
}
