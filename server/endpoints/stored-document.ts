import type { RequestHandler } from 'express';
import type { WorkQueue } from '../cache/work-queue.ts';
import type { Config } from '../config/config.ts';
import type { ContentReader } from '../content/reading/content-reader.ts';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import type { LanguageOf } from '../content/reading/site-language.ts';
import { mediaPaths, mediaTags } from '../content/tags/media-tags.ts';
import { comingDates } from '../decode/shown-dates.ts';
import { type Encoding, encodingFor } from '../http/request/accept-encoding.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import type { FixedRoute } from '../ops/metrics/metric-table.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { sendInEncoding, storedOrGenerated } from '../page/answer-stored.ts';
import type { GeneratedPage, PageCache } from '../page-cache/page-cache.ts';
import { cachingHeaders, cachingUntil } from '../page-cache/page-headers.ts';
import { documentKey } from '../page-cache/page-key.ts';
import { createStoredPage, laterRecord } from '../page-cache/stored-page.ts';

export interface DocumentParts extends ReaderParts {
  readonly config: Config;
  readonly languageOf: LanguageOf;
  readonly pages: PageCache;
  readonly startUp: { readonly ready: boolean; whenReady(): Promise<void> };
  readonly renderQueue: WorkQueue;
  readonly revalidationQueue: WorkQueue;
}

/** A document other than a page that is made from content, such as the sitemap. */
interface StoredDocument {
  route: FixedRoute;
  contentType: string;
  /** The path of the page that search engines list in place of the document. */
  canonical?: string;
  /** Whether changes of media files in the document make it stale. */
  showsMedia?: boolean;
  /** @returns the document; null for an address without one. @throws BackendError */
  write(reader: ContentReader, origin: string): Promise<Buffer | null>;
  /** @returns the new address of a document that has moved; null if there is none. */
  moved?(reader: ContentReader): Promise<string | null>;
}

/** Stores a document like a page: with tags, ETag and encodings, and served stale while revalidated. */
export function storedDocument(parts: DocumentParts, document: StoredDocument): RequestHandler {
  const { pages, renderQueue, revalidationQueue } = parts;
  return async (req, res, next) => {
    const { origin, signal, trace } = scopeOf(res);
    // Skip requests without an origin, because sitemaps and feeds need absolute addresses.
    if (origin === null) return next();
    const key = documentKey(origin, req.path);
    const encoding = encodingFor(req.headers['accept-encoding']);
    const at = { key, origin, encoding };
    const write = (own: AbortSignal) => generateDocument(parts, document, readerFor(parts, res, own), at);
    const generate = (own: AbortSignal) => renderQueue.run(() => write(own), own);
    const revalidate = (own: AbortSignal) => revalidationQueue.run(() => write(own), own);
    const stored = await pages.loadPage(key);
    const answer = await storedOrGenerated(pages, key, stored, { generate, revalidate }, signal);
    if (answer.kind === 'moved') {
      const to = await document.moved?.(parts.content.openReader({ signal, onEvent: () => {} }));
      return to ? res.redirect(308, to) : next();
    }
    trace.pageCache = answer.outcome;
    await sendInEncoding(pages, key, req, res, answer.page, answer.extra, answer.caching);
  };
}

async function generateDocument(
  { pages, metrics, config, startUp }: DocumentParts,
  { route, contentType, canonical, showsMedia = false, write }: StoredDocument,
  reader: ContentReader,
  { key, origin, encoding }: { key: string; origin: string; encoding: Encoding },
): Promise<GeneratedPage> {
  // Wait until the start-up has loaded its content.
  if (!startUp.ready) await startUp.whenReady();
  const startedAt = steadyNow();
  const body = await write(reader, origin);
  // For the result `moved` the cache removes the document that it has stored for this address.
  if (body === null) return { kind: 'moved' };
  const files = showsMedia ? mediaTags(new Set(mediaPaths(body.toString()))) : [];
  const tags = [...reader.tags, ...files];
  const caching = cachingUntil(reader.dates, cachingHeaders(origin, tags, null, false, config), config);
  const value = await metrics.timed('site_compress_duration_seconds', () =>
    createStoredPage(
      {
        status: 200,
        route,
        body,
        headers: [
          ['Content-Type', contentType],
          ...(canonical === undefined
            ? []
            : ([['Link', `<${origin}${canonical}>; rel="canonical"`]] as const)),
          ...caching,
        ],
        contentVersion: reader.version,
      },
      encoding,
      pages.commonHeaders,
    ),
  );
  const entry = {
    value,
    tags,
    about: null,
    generatedAt: Math.min(reader.generatedAt, startedAt),
    invalidated: reader.isInvalidated,
    ...comingDates(reader.dates),
  };
  return {
    kind: 'entry',
    entry,
    isNegative: false,
    servedStale: reader.servedStale,
    record: laterRecord(pages, key),
  };
}
