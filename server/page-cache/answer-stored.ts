import type { IncomingMessage, ServerResponse } from 'node:http';
import { revalidateStale } from '../cache/revalidate-stale.ts';
import { encodingFor } from '../http/accept-encoding.ts';
import { hitLines, missLines } from './cache-status.ts';
import type { CachedPage, GeneratedPage, PageCache } from './page-cache.ts';
import type { AllowedCaching } from './page-head.ts';
import { sendStoredPage } from './send-stored-page.ts';
import type { StoredPage } from './stored-page.ts';

/** A page that answers a request. */
export interface AnsweringPage {
  kind: 'answer';
  page: StoredPage;
  outcome: 'hit' | 'stale' | 'miss';
  /** When the oldest content of the page was loaded, in ms since the epoch. */
  generatedAt: number;
  /** The lines of `Cache-Status` and `Age`. */
  extra: string;
  /** The use that other caches may make of the page, whoever asks for it. */
  caching: AllowedCaching;
}

/** The functions that generate a page that is not stored, and one that is stored and stale. */
interface Generators<T> {
  generate(signal: AbortSignal): Promise<T>;
  revalidate(signal: AbortSignal): Promise<T>;
}

/**
 * Finds the stored page of a key, or generates it, once for all who ask at the same time. A stale page is revalidated: in the background, or
 * before the answer where a short wait may bring a fresh one.
 *
 * @param isEverOnDisk whether the page may be on the disk. Otherwise the disk is not asked.
 * @returns the page; the outcome `moved` of a generation for which nothing is stored.
 * @throws what `generate` throws, when no page is stored; the signal's reason.
 */
export async function findOrGenerate<T extends GeneratedPage>(
  pages: PageCache,
  key: string,
  { generate, revalidate }: Generators<T>,
  signal: AbortSignal,
  isEverOnDisk = true,
): Promise<AnsweringPage | Extract<T, { kind: 'moved' }>> {
  const stored = isEverOnDisk ? await pages.loadPage(key) : pages.get(key);
  const found = stored && (await revalidateStale(pages, key, stored, revalidate));
  if (found) {
    const outcome = found.ttlMs > 0 ? 'hit' : 'stale';
    const { value: page, generatedAt } = found.entry;
    const caching = outcome === 'hit' ? 'fresh' : 'stale';
    return { kind: 'answer', page, outcome, generatedAt, caching, extra: hitLines(pages.cacheStatus, found) };
  }
  const generated = await pages.revalidate(key, generate, signal);
  // The compiler cannot narrow a union that is still generic.
  if (generated.kind === 'moved') return generated as Extract<T, { kind: 'moved' }>;
  const { value: page, generatedAt } = generated.entry;
  const kept = pages.get(key);
  const isStored = kept?.entry.value.etag === page.etag;
  return {
    kind: 'answer',
    page,
    outcome: 'miss',
    generatedAt,
    extra: missLines(pages.cacheStatus, isStored ? kept : null),
    caching: isFresh(generated, isStored ? kept : null) ? 'fresh' : 'stale',
  };
}

/** @returns whether a page was generated from fresh content alone. */
function isFresh(generated: Exclude<GeneratedPage, { kind: 'moved' }>, stored: CachedPage | null): boolean {
  if (stored) return stored.ttlMs > 0;
  return generated.kind === 'entry' && !generated.servedStale && !generated.entry.invalidated;
}

/** Sends a stored page in the client's encoding. The page is compressed first if it lacks it. */
export async function sendInEncoding(
  pages: PageCache,
  key: string,
  req: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  extra: string,
  caching: AllowedCaching,
): Promise<void> {
  const { decoded } = pages;
  if (sendStoredPage(req, res, page, extra, caching, decoded) !== null) return;
  // An uncompressed body can always be sent.
  const encoding = encodingFor(req.headers['accept-encoding']) === 'br' ? 'br' : 'gzip';
  const encoded = await pages.withEncoding(key, page, encoding);
  // The client has disconnected: skip the write.
  if (!res.destroyed) sendStoredPage(req, res, encoded, extra, caching, decoded);
}
