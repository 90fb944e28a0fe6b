/**
 * Flags with which Node serves the site. Without them the site works, with longer pauses for garbage collection. Node needs
 * them at its start, so `package.json` and the `Dockerfile` repeat them (`tests/build/node-flags.test.ts` compares).
 *
 * - `--min-semi-space-size`, `--max-semi-space-size`: a young generation of constant size. By default V8 lets it grow to
 *   128 MiB and shrinks it to 1 MiB in a quiet moment.
 * - `--no-allocation-site-pretenuring`: after a burst of renders V8 would allocate similar objects in the old generation.
 *   Collecting those takes 50 ms every few seconds of cache hits, for 26 MB each time.
 * - `--no-memory-reducer`: no collection when the process is idle, because the next visitor would wait for it.
 * - `--initial-old-space-size`: the first collection of the old generation begins at this many MB, and not before the first page.
 * - `--invocation-count-for-maglev`: functions are compiled for speed after this many calls. With V8's 400 it compiles a hundred of them before
 *   the first page, most of which are hardly ever called again.
 */
export const NODE_FLAGS: readonly string[] = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
  '--initial-old-space-size=40',
  '--invocation-count-for-maglev=2000',
];

/**
 * Variables of glibc with which the image starts the site. By default each thread of Node and V8 allocates from memory of its own, which stays with
 * the process when it is freed: 25 MB with 3,000 stored pages.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2' } as const;
