import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';

/**
 * V8 sizes its heap by these flags at the start of the process. Without them the site works, with longer
 * pauses for garbage collection.
 * - `--min-semi-space-size`, `--max-semi-space-size`: a young generation of constant size.
 * - `--no-allocation-site-pretenuring`: V8 would allocate in the old generation, whose collection takes 50
 *   ms.
 * - `--no-memory-reducer`: no collection in an idle process, because the next visitor would wait for it.
 * - `--initial-old-space-size`: the first collection of the old generation comes after the first page.
 * - `--invocation-count-for-maglev`: V8 would compile a hundred functions for speed before the first page.
 */
export const NODE_FLAGS: readonly string[] = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
  '--initial-old-space-size=40',
  '--invocation-count-for-maglev=2000',
];

/** For glibc. By default each thread keeps the memory that it has freed: 25 MB with 3,000 pages. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };

/**
 * Starts a program again with the flags above, in the same process. Returns where the process has the flags,
 * and on Windows. @param env variables and flags that the operator has set are kept.
 */
export function withNodeFlags(program: string, env: Readonly<NodeJS.ProcessEnv>): void {
  const { execArgv, execPath, argv, platform } = process;
  if (platform === 'win32' || NODE_FLAGS.every(flag => execArgv.includes(flag))) return;
  const args = [execPath, ...NODE_FLAGS, ...execArgv, program, ...argv.slice(2)];
  process.execve?.(execPath, args, { ...ALLOCATOR, ...env });
}

/**
 * Limits how much garbage the heap may contain: 130 MiB by default, with no measurable gain.
 * Call it when all modules are loaded, which needs room, and before a thread is started.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
  // The main thread keeps its size of NODE_FLAGS. Each thread would have as large a heap, two halves of 8
  // MiB.
  setFlagsFromString('--min-semi-space-size=2');
  setFlagsFromString('--max-semi-space-size=2');
}

let keptTick: object | null = null;

/**
 * Keeps one object of `process.nextTick` alive (decision 161). V8 drops the hidden classes of these objects
 * when a full garbage collection finds none of them. From then on each tick takes a slow path, which costs a
 * cache hit a fifth of its time. Call it before the first collection.
 *
 * @returns whether Node has shown such an object.
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
