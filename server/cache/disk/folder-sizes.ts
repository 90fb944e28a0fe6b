import path from 'node:path';
import type { SpareTime } from '../../ops/spare-time.ts';
import { listFiles } from './list-files.ts';

/** The shortest time between two counts, in ms. A count examines each file in the data folder. */
const COUNT_EVERY_MS = 10 * 60 * 1_000;
/** The folder that contains a folder for each backend. Their parts of the same name are added up. */
const BACKENDS = 'backends';
const OTHER = 'other';

/** The bytes in the parts of the data folder. `read` never waits: it begins a count when one is due. */
export class FolderSizes {
  readonly #dir: string;
  readonly #spareTime: SpareTime;
  #sizes: ReadonlyMap<string, number> = new Map();
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(dir: string, spareTime: SpareTime) {
    this.#dir = path.resolve(dir);
    this.#spareTime = spareTime;
  }

  read(): ReadonlyMap<string, number> {
    if (performance.now() - this.#countedAt >= COUNT_EVERY_MS) {
      this.#countedAt = performance.now();
      void this.#count();
    }
    return this.#sizes;
  }

  async #count(): Promise<void> {
    const sizes = new Map<string, number>();
    // A folder may be removed or unreadable: the count then lacks it.
    await this.#add(this.#dir, [], sizes).catch(() => {});
    this.#sizes = sizes;
  }

  async #add(dir: string, parts: readonly string[], sizes: Map<string, number>): Promise<void> {
    const [first, , third] = parts;
    const name = (first === BACKENDS ? third : first) ?? OTHER;
    for await (const batch of listFiles(dir)) {
      await this.#spareTime();
      for (const { name: file, stats } of batch) {
        if (stats.isDirectory())
          await this.#add(path.join(dir, file), [...parts, file], sizes).catch(() => {});
        else sizes.set(name, (sizes.get(name) ?? 0) + stats.size);
      }
    }
  }
}
