import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { hitHeaders, missHeaders } from './cache-status.ts';
import type { CachedPage, GeneratedPage, PageCache } from './page-cache.ts';
import { sendStoredPage, storedEncodingFor } from './send-stored-page.ts';
import type { StoredPage } from './stored-page.ts';

/** A page that answers a request. */
export interface AnsweringPage {
  kind: 'answer';
  page: StoredPage;
  outcome: 'hit' | 'stale' | 'miss';
  /** When the oldest content of the page was loaded, in ms since the epoch. */
  generatedAt: number;
  /** `Cache-Status` and `Age`, as names and values in turn. */
  extra: readonly string[];
}

/**
 * Finds the stored page of a key, or generates it, once for all who ask at the same time. A stale page is revalidated: in the background, or
 * before the answer where a short wait may bring a fresh one.
 *
 * @returns the page; the outcome `moved` of a generation for which nothing is stored.
 * @throws what `generate` throws, when no page is stored; the signal's reason.
 */
export async function findOrGenerate<T extends GeneratedPage>(
  pages: PageCache,
  key: string,
  generate: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<AnsweringPage | Extract<T, { kind: 'moved' }>> {
  const found = await revalidated(pages, key, generate, await pages.loadPage(key));
  if (found) {
    const outcome = found.ttlMs > 0 ? 'hit' : 'stale';
    const { value: page, generatedAt } = found.entry;
    return { kind: 'answer', page, outcome, generatedAt, extra: hitHeaders(found) };
  }
  const generated = await pages.revalidate(key, generate, signal);
  // The compiler cannot narrow a union that is still generic.
  if (generated.kind === 'moved') return generated as Extract<T, { kind: 'moved' }>;
  const { value: page, generatedAt } = generated.entry;
  const stored = pages.get(key);
  const isStored = stored?.entry.value.etag === page.etag;
  return { kind: 'answer', page, outcome: 'miss', generatedAt, extra: missHeaders(isStored ? stored : null) };
}

async function revalidated(
  pages: PageCache,
  key: string,
  generate: (signal: AbortSignal) => Promise<GeneratedPage>,
  found: CachedPage | null,
): Promise<CachedPage | null> {
  if (!found || found.ttlMs > 0) return found;
  if (found.waitMs === 0) {
    pages.revalidateInBackground(key, generate);
    return found;
  }
  const waited = new AbortController();
  const revalidation = pages.revalidate(key, generate).then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([revalidation, delay(found.waitMs, false, { signal: waited.signal })]);
  waited.abort();
  // The address may be a redirect now. Redirects are not stored, so `get` returns null and the address is resolved as a miss.
  return isDone ? pages.get(key) : found;
}

/** Sends a stored page in the client's encoding. An encoding that the page lacks is added first. */
export async function sendInEncoding(
  pages: PageCache,
  key: string,
  req: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  extra: readonly string[],
  head: Pick<StoredPage['head'], 'fields' | 'contentAt'> = page.head,
): Promise<void> {
  if (sendStoredPage(req, res, page, extra, head) !== null) return;
  const complete = await pages.withEncoding(key, page, storedEncodingFor(req.headers['accept-encoding']));
  // The client has disconnected: skip the write.
  if (!res.destroyed) sendStoredPage(req, res, complete, extra, head);
}
