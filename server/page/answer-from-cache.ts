import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { FEED_FILES } from '../../shared/routing/feed-files.ts';
import { deviceTiming } from '../http/request/device-from-request.ts';
import { prefersMarkdown } from '../http/request/prefers-markdown.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import type { CachedPage, PageCache } from '../page-cache/page-cache.ts';
import { documentKey } from '../page-cache/page-key.ts';
import { sendStoredPage } from '../page-cache/send-stored-page.ts';
import { type AskedPage, plainKeyOf } from './find-page.ts';
import { isOfOtherBuild, type PageLookup } from './page-request.ts';

interface CacheAnswererParts {
  readonly pages: PageCache;
  readonly manifest: BuildManifest;
  readonly metrics: Pick<Metrics, 'pageServed'>;
  readonly revalidateInBackground: (lookup: PageLookup) => Promise<void>;
}

export interface AnsweredFromCache {
  route: string | null;
  bytes: number;
  pageCache: 'hit' | 'stale' | null;
}

const JSON_FEED = `/${FEED_FILES.json}`;

/**
 * Answers with a page in memory. Returns null and leaves the response untouched if no page is stored, or if
 * the application must answer. `asked.found` then passes the page to the application.
 */
export function cacheAnswerer({ pages, manifest, metrics, revalidateInBackground }: CacheAnswererParts) {
  function storedPage(asked: AskedPage, plain: string | null): CachedPage | null {
    const found = plain === null ? null : pages.get(plain);
    return found ?? (asked.lookup.key === plain ? null : pages.get(asked.lookup.key));
  }

  /** Leave a stale sitemap or feed to its endpoint, which generates it again. */
  function storedDocument(origin: string, path: string): CachedPage | null {
    const found = pages.get(documentKey(origin, path));
    return found && found.ttlMs > 0 ? found : null;
  }

  return (
    req: IncomingMessage,
    res: ServerResponse,
    requestId: string,
    asked: AskedPage,
  ): AnsweredFromCache | null => {
    if (prefersMarkdown(req)) return null;
    const { url, origin } = asked;
    const plain = plainKeyOf(url, origin);
    const path = plain === null ? asked.request.path : url;
    const isDocument = origin !== null && (path.endsWith('.xml') || path.endsWith(JSON_FEED));
    const found = isDocument ? storedDocument(origin, path) : storedPage(asked, plain);
    if (!found) return null;
    const page = found.entry.value;
    if (!isDocument) asked.found = found;
    // Leave two cases to the application: waiting for a fresh page, and a 404 or 410 in JSON.
    if (found.waitMs > 0 || page.status !== 200) return null;
    const timing = deviceTiming(req.headers, page.head.plain);
    const extra = `X-Request-Id: ${requestId}\r\n${pages.cacheStatus.hitLines(found)}${timing}`;
    const isStale = found.ttlMs <= 0;
    const caching = isStale ? 'stale' : 'fresh';
    const isOfOther = plain === null && isOfOtherBuild(asked.request, manifest.id);
    const bytes = sendStoredPage(req, res, page, extra, isOfOther ? 'none' : caching, pages.decoded);
    // A page that was just rendered may lack this client's encoding.
    if (bytes === null) return null;
    metrics.pageServed(found.entry.generatedAt);
    if (isStale) void revalidateInBackground(asked.lookup);
    return { route: page.route, bytes, pageCache: isStale ? 'stale' : 'hit' };
  };
}
