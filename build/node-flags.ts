/**
 * What Node is started with to serve the site; without them it works as well, with more pauses. They have to be there before
 * the heap is, so `package.json` and the `Dockerfile` repeat them (`tests/build/node-flags.test.ts`).
 *
 * - A young generation of one size. V8's grows to 128 MiB, and shrinks to one when the site is quiet for a moment.
 * - No pretenuring: V8 takes objects that outlived a burst of renders for long-lived, allocates all of their kind among
 *   the old ones from then on, and collects 26 MB of those every few seconds of hits, 50 ms each time.
 * - No collection because the process is idle: it is never idle for long, and the next visitor would wait for it.
 */
export const NODE_FLAGS: readonly string[] = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
];
