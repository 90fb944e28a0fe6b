import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { DiskHealth } from '../disk/disk-health.ts';
import { openProcessFile } from '../disk/process-file.ts';
import type { SavedFile } from '../disk/saved-file.ts';
import { InvalidationLog, savedNotesSchema } from './invalidation-log.ts';

interface SavedInvalidationLogOptions {
  file: string;
  log: Logger;
  now?: () => number;
  health?: DiskHealth;
}

/** Saves invalidations, so that a restart does not restore removed content from disk. */
export class SavedInvalidationLog extends InvalidationLog {
  readonly #file: SavedFile;

  constructor({ file, log, now = steadyNow, health }: SavedInvalidationLogOptions) {
    super(now, () => this.#file.changed());
    this.#file = openProcessFile({
      name: 'invalidation log',
      file,
      health,
      log,
      decode: value => savedNotesSchema.parse(value),
      restore: entries => this.restore(entries),
      value: () => this.entries(),
    });
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }
}
