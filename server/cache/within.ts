import { setTimeout as delay } from 'node:timers/promises';

/** @returns the result of the work; null if it takes longer. The timer ends with the work. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  const ended = new AbortController();
  const late = delay(limitMs, null, { signal: ended.signal, ref: false }).catch(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}
