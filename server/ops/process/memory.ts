import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';

/**
 * V8 sizes its heap by these flags at the start of the process. Without them the site works, with longer
 * pauses for garbage collection.
 * - `--min-semi-space-size`, `--max-semi-space-size`: a young generation of constant size.
 * - `--no-allocation-site-pretenuring`: otherwise V8 would allocate in the old generation, whose collection
 *   takes 50 ms.
 * - `--no-memory-reducer`: no collection in an idle process, because the next visitor would wait for it.
 * - `--initial-old-space-size`: the first collection of the old generation comes after the first page.
 * - `--invocation-count-for-maglev`: otherwise V8 would compile a hundred functions before the first page.
 */
export const NODE_FLAGS: readonly string[] = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
  '--initial-old-space-size=40',
  '--invocation-count-for-maglev=2000',
];

/** For glibc: by default each thread keeps freed memory, 25 MB for a site of 3,000 pages. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };

/**
 * Restarts a program with these flags in the same process. Returns at once if the flags are set, and on
 * Windows. @param env the environment; variables and flags of the operator stay.
 */
export function withNodeFlags(program: string, env: Readonly<NodeJS.ProcessEnv>): void {
  const { execArgv, execPath, argv, platform } = process;
  if (platform === 'win32' || NODE_FLAGS.every(flag => execArgv.includes(flag))) return;
  const args = [execPath, ...NODE_FLAGS, ...execArgv, program, ...argv.slice(2)];
  process.execve?.(execPath, args, { ...ALLOCATOR, ...env });
}

/**
 * Limits the garbage in the heap, which V8 by default lets grow to 130 MiB without a measurable gain. Call it
 * after all modules are loaded, which needs a larger heap, and before threads start.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
  // Lower the size for threads, which would each get two halves of 8 MiB. The main thread keeps its size.
  setFlagsFromString('--min-semi-space-size=2');
  setFlagsFromString('--max-semi-space-size=2');
}

let keptTick: object | null = null;

/**
 * Keeps one object of `process.nextTick` alive, so that V8 keeps the hidden classes of all such objects
 * (decision 161). Call it before the first garbage collection.
 * @returns whether Node has exposed such an object.
 */
export function keepTickShape(): boolean {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') keptTick ??= resource;
    },
  });
  hook.enable();
  process.nextTick(() => {});
  hook.disable();
  return keptTick !== null;
}
