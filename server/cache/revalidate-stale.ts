import type { Generated, Revive } from './generated.ts';
import type { Cached, StaleCache } from './stale-cache.ts';
import { within } from './within.ts';

/**
 * Revalidates a stale entry in the background, or waits up to `waitMs` for the newer entry.
 * @returns the entry or a newer one; null if it was removed during the wait.
 */
export async function revalidateStale<V, R, T extends Generated<V, R>>(
  cache: Pick<StaleCache<V, R>, 'get' | 'revalidate' | 'revalidateInBackground'>,
  key: string,
  found: Cached<V>,
  generate: (signal: AbortSignal) => Promise<T>,
  revive?: Revive<V, R>,
): Promise<Cached<V> | null> {
  if (found.ttlMs > 0) return found;
  if (found.waitMs === 0) {
    void cache.revalidateInBackground(key, generate, revive);
    return found;
  }
  const revalidation = cache.revalidate(key, generate, undefined, revive).then(
    () => true,
    () => false,
  );
  const isDone = await within(found.waitMs, revalidation);
  // The entry is gone if its address has become a redirect. The caller then handles a miss.
  return isDone ? cache.get(key, false) : found;
}
