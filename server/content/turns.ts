/**
 * Lets a bounded number of pieces of work go on at a time; the others wait for their turn, first come, first served.
 *
 * @param places how many at a time.
 * @returns a function that runs a piece of work; it rejects with the signal's reason when that is aborted while it waits.
 */
export function createTurns(places: number) {
  const waiting = new Set<() => void>();
  let free = places;

  async function turn(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    const called = Promise.withResolvers<void>();
    const leave = () => called.reject(signal.reason);
    waiting.add(called.resolve);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await called.promise;
    } finally {
      waiting.delete(called.resolve);
      signal.removeEventListener('abort', leave);
    }
  }

  function release(): void {
    for (const call of waiting) {
      waiting.delete(call);
      call();
      return;
    }
    free += 1;
  }

  return async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    await turn(signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
