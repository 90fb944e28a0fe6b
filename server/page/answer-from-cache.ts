import type { IncomingMessage, ServerResponse } from 'node:http';
import { FEED_FILES } from '../../shared/routing/feeds.ts';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { deviceClassOf, deviceTiming } from '../http/device-from-request.ts';
import { hitLines } from '../page-cache/cache-status.ts';
import type { CachedPage } from '../page-cache/page-cache.ts';
import { documentKey, keyOnDevice } from '../page-cache/page-key.ts';
import { sendStoredPage } from '../page-cache/send-stored-page.ts';
import type { Site } from '../site.ts';
import { type AskedPage, plainKeyOf } from './find-page.ts';
import { isOfOtherBuild } from './page-request.ts';
import { type ProducingSite, revalidatePage } from './produce-page.ts';

/** The fields of the access log that depend on the answer. */
export interface AnsweredFromCache {
  route: string | null;
  bytes: number;
  pageCache: 'hit' | 'stale';
}

const JSON_FEED = `/${FEED_FILES.json}`;

/**
 * @returns a function that answers with a stored page. The function returns null, without touching the response, when no page is
 * stored or the answer depends on more than the stored page.
 */
export function cacheAnswerer(site: ProducingSite & Pick<Site, 'log' | 'routes'>) {
  const onEvent = ({ kind }: ContentReadEvent) => site.metrics.contentEvent(kind);

  // The table has no such route today, so that a miss is one look into the cache.
  const readsDevice = site.routes.some(route => route.readsDevice);
  const onDevice = (plain: string, { headers }: IncomingMessage) =>
    readsDevice ? site.pages.get(keyOnDevice(plain, deviceClassOf(headers))) : null;

  /** @returns a stored sitemap or feed. A stale one is left to its endpoint, which generates it anew. */
  function storedDocument({ origin, request: { path } }: AskedPage): CachedPage | null {
    const isDocument = path.endsWith('.xml') || path.endsWith(JSON_FEED);
    const found = origin !== null && isDocument ? site.pages.get(documentKey(origin, path)) : null;
    return found && found.ttlMs > 0 ? found : null;
  }

  return (
    req: IncomingMessage,
    res: ServerResponse,
    requestId: string,
    asked: AskedPage,
  ): AnsweredFromCache | null => {
    const { url, origin } = asked;
    // Without a query the key is the plain address, or the address plus the device class. With a query it depends on the route.
    const plain = plainKeyOf(url, origin);
    const found =
      (plain && (site.pages.get(plain) ?? onDevice(plain, req))) ||
      storedDocument(asked) ||
      site.pages.get(asked.lookup.key);
    // `waitMs`: a fresh page may be worth a short wait. The steps of the application wait for it.
    if (!found || found.waitMs > 0) return null;
    const page = found.entry.value;
    // A 404 or 410 may have to be answered as JSON.
    if (page.status !== 200) return null;
    const timing = deviceTiming(req.headers, page.head.plain);
    const extra = `X-Request-Id: ${requestId}\r\n${hitLines(site.pages.cacheStatus, found)}${timing}`;
    const isStale = found.ttlMs <= 0;
    const caching = isStale ? 'stale' : 'fresh';
    const isOfOther = plain === null && isOfOtherBuild(asked.request, site.manifest.id);
    const bytes = sendStoredPage(req, res, page, extra, isOfOther ? 'none' : caching, site.pages.decoded);
    // A page that was rendered a moment ago may lack this client's encoding.
    if (bytes === null) return null;
    site.metrics.pageServed(found.entry.generatedAt);
    if (isStale) {
      const { key, renderRequest } = asked.lookup;
      const logged = { ...renderRequest, log: site.log, onEvent };
      void site.pages.revalidateInBackground(key, signal => revalidatePage(site, logged, signal));
    }
    return { route: page.route, bytes, pageCache: isStale ? 'stale' : 'hit' };
  };
}
