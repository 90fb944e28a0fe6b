import { setFlagsFromString } from 'node:v8';

/**
 * Limits how much garbage the heap may contain. By default V8 lets the young generation grow to 128 MiB and the old one to
 * twice the size of its live objects. With 500 stored pages the default leaves 130 MiB of garbage and saves no measurable time.
 * Called when all modules are loaded, which needs room, and before a thread is started, because the code cache of the threads is one of these
 * flags. V8 shrinks the young generation when the site is
 * idle; `build/node-flags.ts` keeps its size constant.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
  // The process's own heap has its sizes by now. Those of threads would have two halves of 8 MiB each.
  setFlagsFromString('--min-semi-space-size=2');
  setFlagsFromString('--max-semi-space-size=2');
}
