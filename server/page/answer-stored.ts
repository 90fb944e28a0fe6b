import type { IncomingMessage, ServerResponse } from 'node:http';
import { revalidateStale } from '../cache/revalidate-stale.ts';
import { encodingFor } from '../http/request/accept-encoding.ts';
import type { CachedPage, GeneratedPage, PageCache } from '../page-cache/page-cache.ts';
import type { AllowedCaching } from '../page-cache/page-head.ts';
import { sendStoredPage } from '../page-cache/send-stored-page.ts';
import type { StoredPage } from '../page-cache/stored-page.ts';

export interface AnsweringPage {
  kind: 'answer';
  page: StoredPage;
  outcome: 'hit' | 'stale' | 'miss';
  generatedAt: number;
  extra: string;
  caching: AllowedCaching;
}

/**
 * Answers with a stored page, revalidated if stale, or generates the page once for all waiting requests.
 * @throws the error of `generate` if no page is stored; the signal's reason.
 */
export async function storedOrGenerated<T extends GeneratedPage>(
  pages: PageCache,
  key: string,
  stored: CachedPage | null,
  { generate, revalidate }: Record<'generate' | 'revalidate', (signal: AbortSignal) => Promise<T>>,
  signal: AbortSignal,
): Promise<AnsweringPage | Extract<T, { kind: 'moved' }>> {
  const found = stored && (await revalidateStale(pages, key, stored, revalidate));
  if (found) {
    const outcome = found.ttlMs > 0 ? 'hit' : 'stale';
    const { value: page, generatedAt } = found.entry;
    const caching = outcome === 'hit' ? 'fresh' : 'stale';
    return { kind: 'answer', page, outcome, generatedAt, caching, extra: pages.cacheStatus.hitLines(found) };
  }
  const generated = await pages.revalidate(key, generate, signal);
  // The cast is safe, but the compiler cannot narrow a generic union.
  if (generated.kind === 'moved') return generated as Extract<T, { kind: 'moved' }>;
  const { value: page, generatedAt } = generated.entry;
  const current = pages.get(key);
  const isStored = current?.entry.value.etag === page.etag;
  return {
    kind: 'answer',
    page,
    outcome: 'miss',
    generatedAt,
    extra: pages.cacheStatus.missLines(isStored ? current : null),
    caching: isFresh(generated, isStored ? current : null) ? 'fresh' : 'stale',
  };
}

function isFresh(generated: Exclude<GeneratedPage, { kind: 'moved' }>, stored: CachedPage | null): boolean {
  if (stored) return stored.ttlMs > 0;
  return generated.kind === 'entry' && !generated.servedStale && !generated.entry.invalidated;
}

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
  const encoding = encodingFor(req.headers['accept-encoding']) === 'br' ? 'br' : 'gzip';
  const encoded = await pages.withEncoding(key, page, encoding);
  if (!res.destroyed) sendStoredPage(req, res, encoded, extra, caching, decoded);
}
