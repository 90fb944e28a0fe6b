import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap near what lives in it, from now on: V8 lets the young generation grow to 128 MiB and the old one to
 * twice what it holds, which is 130 MiB of garbage with 500 pages stored, for no time that can be measured. Called when
 * the process has started, so that what it starts with has its room. The young generation stays as it is only as long as the
 * site is never quiet: `build/node-flags.ts` gives it its size for good.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
