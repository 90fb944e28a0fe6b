import { setFlagsFromString } from 'node:v8';

/**
 * Limits how much garbage the heap may contain. By default V8 lets the young generation grow to 128 MiB and the old one to
 * twice the size of its live objects. With 500 stored pages the default leaves 130 MiB of garbage and saves no measurable time.
 * V8 shrinks the young generation when the site is idle; `build/node-flags.ts` keeps its size constant.
 *
 * Called when all modules are loaded, which needs room, and before a thread is started: the code cache of the threads is made with these
 * flags, and their young generations get the size that is set here.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
  // The heap of the main thread keeps its size of `build/node-flags.ts`. Each thread would have as large a one, two halves of 8 MiB.
  setFlagsFromString('--min-semi-space-size=2');
  setFlagsFromString('--max-semi-space-size=2');
}
