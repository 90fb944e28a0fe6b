import { type WriteFileAtomically, writeFileAtomically } from '../../server/cache/write-file-atomically.ts';

/** The disk under an outbox, as a test wants it. */
export interface TestDisk {
  /** For `overrides` of a site. */
  writeFileAtomically: WriteFileAtomically;
  /** From now on every write fails as on a disk that is full, until `reset`. */
  fill(): void;
  /** From now on writes wait, until `reset`. */
  hold(): void;
  /** Writes that wait. */
  waiting(): number;
  reset(): void;
}

/** @returns a real disk that can be full, or slow. */
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
