import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { deviceClassOf, deviceTiming } from '../http/device-from-request.ts';
import { hitHeaders } from '../page-cache/cache-status.ts';
import { keyOnDevice } from '../page-cache/page-key.ts';
import { canSend, sendStoredPage } from '../page-cache/send-stored-page.ts';
import type { Site } from '../site.ts';
import { lookupOf, type PageLookup, pageRequestOf, plainKeyOf } from './find-page.ts';
import { producePage } from './produce-page.ts';

/** What was answered, for the log. */
export interface AnsweredFromCache {
  route: string | null;
  bytes: number;
  pageCache: 'hit' | 'stale';
}

/**
 * @returns a function that answers with a stored page and says so, or leaves the request alone and returns null:
 * where nothing is stored, and where the answer depends on more than what is stored.
 */
export function cacheAnswerer(site: Site) {
  return (req: IncomingMessage, res: ServerResponse, requestId: string): AnsweredFromCache | null => {
    const { url = '' } = req;
    // What became of a form is one visitor's.
    if (url.includes('sent=')) return null;
    const origin = originOf(site, req);
    if (origin === null) return null;
    // A page is stored under one of the two.
    const plain = plainKeyOf(url, origin);
    let found =
      plain && (site.pages.get(plain) ?? site.pages.get(keyOnDevice(plain, deviceClassOf(req.headers))));
    let lookup: PageLookup | null = null;
    if (!found) {
      lookup = lookUp(url, origin, req);
      found = lookup && site.pages.get(lookup.key);
    }
    // A 404 may have to be answered as JSON, and an old page may be worth a short wait: the steps see to it.
    if (!found || found.waitMs > 0) return null;
    const page = found.entry.value;
    if (page.status === 404) return null;
    // A page that was rendered a moment ago may still have to be compressed for this client.
    if (!canSend(req, page)) return null;
    const bytes = sendStoredPage(req, res, page, [
      'X-Request-Id',
      requestId,
      ...hitHeaders(found),
      ...deviceTiming(req.headers, page.head.fields),
    ]);
    const isStale = found.ttlMs <= 0;
    if (isStale) lookup ??= lookUp(url, origin, req);
    if (isStale && lookup) {
      const { key } = lookup;
      const onEvent = ({ kind }: ContentReadEvent) => site.metrics.contentEvent(kind);
      const order = { ...lookup.order, log: site.log, onEvent };
      site.pages.revalidateInBackground(key, signal => producePage(site, order, signal));
    }
    return { route: page.route, bytes, pageCache: isStale ? 'stale' : 'hit' };
  };

  /** Null for a path that cannot be decoded: the step that refuses it says so. */
  function lookUp(url: string, origin: string, { headers }: IncomingMessage): PageLookup | null {
    try {
      return lookupOf(site, pageRequestOf(url), origin, headers);
    } catch {
      return null;
    }
  }
}

/** Without PUBLIC_URL the request's own host is part of the page; behind a proxy only Express can tell it. */
function originOf({ config }: Site, req: IncomingMessage): string | null {
  if (config.publicOrigin) return config.publicOrigin;
  const { host } = req.headers;
  return config.trustProxy === false && host !== undefined ? `http://${host}` : null;
}
