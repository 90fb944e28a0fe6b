import { steadyNow } from '../../ops/steady-clock.ts';
import { openProcessFile, type ProcessFileOptions } from '../disk/process-file.ts';
import type { SavedFile } from '../disk/saved-file.ts';
import { InvalidationLog, savedNotesSchema } from './invalidation-log.ts';

interface SavedInvalidationLogOptions extends Pick<ProcessFileOptions<unknown>, 'file' | 'health' | 'log'> {
  now?: () => number;
}

/** Saves invalidations, so that a restart does not restore removed content from disk. */
export class SavedInvalidationLog extends InvalidationLog {
  readonly #file: SavedFile;

  constructor({ now = steadyNow, ...options }: SavedInvalidationLogOptions) {
    super(now, () => this.#file.changed());
    this.#file = openProcessFile({
      ...options,
      name: 'invalidation log',
      decode: value => savedNotesSchema.parse(value),
      restore: entries => this.restore(entries),
      value: () => this.entries(),
    });
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }
}
