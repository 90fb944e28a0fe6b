import type { RequestHandler } from 'express';
import type { ContentReader } from '../content/content-reader.ts';
import { mediaPaths, mediaTags } from '../content/content-tags.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { type Encoding, encodingFor } from '../http/accept-encoding.ts';
import { scopeOf } from '../http/request-scope.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { findOrGenerate, sendInEncoding } from '../page-cache/answer-stored.ts';
import type { GeneratedPage } from '../page-cache/page-cache.ts';
import { cachingHeaders, cachingUntil } from '../page-cache/page-headers.ts';
import { documentKey } from '../page-cache/page-key.ts';
import { createStoredPage, laterRecord } from '../page-cache/stored-page.ts';
import type { Site } from '../site.ts';

/** The parts of the site with which a document is made and stored. */
export type DocumentSite = Pick<
  Site,
  'content' | 'languageOf' | 'metrics' | 'pages' | 'config' | 'startUp' | 'renderQueue' | 'revalidationQueue'
>;

/** A document that is made from content and is no page, such as the sitemap. */
export interface StoredDocument {
  contentType: string;
  /** Whether a change of a media file that the document names makes it stale. */
  showsMedia?: boolean;
  /**
   * Writes the document.
   *
   * @param origin `https://host` of the public site.
   * @returns the document; null when the address has none.
   * @throws BackendError
   */
  write(reader: ContentReader, origin: string): Promise<Buffer | null>;
}

/**
 * Answers with a document that is stored like a page: with tags, ETag and encodings, in memory and on disk, stale while it is made anew. All
 * who ask at the same time wait for one document.
 */
export function storedDocument(site: DocumentSite, document: StoredDocument): RequestHandler {
  const { pages, renderQueue, revalidationQueue } = site;
  return async (req, res, next) => {
    const { origin, signal, trace } = scopeOf(res);
    // Sitemap and feed are lists of absolute addresses.
    if (origin === null) return next();
    const key = documentKey(origin, req.path);
    const encoding = encodingFor(req.headers['accept-encoding']);
    const write = (own: AbortSignal) =>
      generateDocument(site, document, readerFor(site, res, own), {
        key,
        origin,
        encoding,
      });
    const generate = (own: AbortSignal) => renderQueue.run(() => write(own), own);
    const revalidate = (own: AbortSignal) => revalidationQueue.run(() => write(own), own);
    const answer = await findOrGenerate(pages, key, { generate, revalidate }, signal);
    if (answer.kind === 'moved') return next();
    trace.pageCache(answer.outcome);
    await sendInEncoding(pages, key, req, res, answer.page, answer.extra, answer.caching);
  };
}

async function generateDocument(
  { pages, metrics, config, startUp }: DocumentSite,
  { contentType, showsMedia = false, write }: StoredDocument,
  reader: ContentReader,
  { key, origin, encoding }: { key: string; origin: string; encoding: Encoding },
): Promise<GeneratedPage> {
  // As for a page: a document of a site without content is no document.
  if (!startUp.ready) await startUp.whenReady();
  const startedAt = steadyNow();
  const body = await write(reader, origin);
  // Nothing is stored for an address without a document, and a document that was stored for it is removed.
  if (body === null) return { kind: 'moved' };
  const files = showsMedia ? mediaTags(new Set(mediaPaths(body.toString()))) : [];
  const tags = [...reader.tags, ...files];
  const caching = cachingUntil(reader.endsAt, cachingHeaders(origin, tags, null, false, config), config);
  const value = await metrics.compressing(() =>
    createStoredPage(
      {
        status: 200,
        route: null,
        body,
        headers: [['Content-Type', contentType], ...caching],
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
  };
  return {
    kind: 'entry',
    entry,
    isNegative: false,
    servedStale: reader.servedStale,
    record: laterRecord(pages, key),
  };
}
