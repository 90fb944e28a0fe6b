import {
  type WriteFileAtomically,
  writeFileAtomically,
} from '../../server/cache/disk/write-file-atomically.ts';

/** The disk of an outbox, with faults that a test switches on. */
export interface TestDisk {
  /** Pass it in the `overrides` of a site. */
  writeFileAtomically: WriteFileAtomically;
  /** Lets every write fail as on a full disk, until `reset`. */
  fill(): void;
  /** Lets writes wait, until `reset`. */
  hold(): void;
  /** The number of writes that have not ended. */
  waiting(): number;
  reset(): void;
}

/** @returns the real disk, which a test can make full or slow. */
export function testDisk(): TestDisk {
  let isFull = false;
  let held: PromiseWithResolvers<void> | null = null;
  let waiting = 0;
  return {
    async writeFileAtomically(...file) {
      waiting += 1;
      await held?.promise;
      waiting -= 1;
      if (isFull)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      await writeFileAtomically(...file);
    },
    fill() {
      isFull = true;
    },
    hold() {
      held = Promise.withResolvers();
    },
    waiting: () => waiting,
    reset() {
      isFull = false;
      held?.resolve();
      held = null;
    },
  };
}
