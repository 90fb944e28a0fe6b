import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { hitHeaders } from './page-cache/cache-status.ts';
import { lookupOf, pageRequestOf } from './page-cache/find-page.ts';
import { producePage } from './page-cache/produce-page.ts';
import { sendStoredPage } from './page-cache/send-stored-page.ts';
import { refusalOf } from './refusal.ts';
import { logRequest } from './request-log.ts';
import type { TrustsProxy } from './served-hosts.ts';
import type { Site } from './site.ts';

const NOTHING: Record<string, number> = {};

/**
 * What the HTTP server calls: a page that is stored is answered at once, secured, counted and logged like any other
 * answer; everything else goes through the steps of the application.
 */
export function createRequestListener(site: Site, app: Express): RequestListener {
  const security = site.securityHeaders.flat();
  const trusts: TrustsProxy = app.get('trust proxy fn');
  return (req, res) => {
    // The step of the same name says why, to whom it concerns.
    if (refusalOf(site, req, trusts)) app(req, res);
    else if (!answerFromCache(site, security, req, res)) app(req, res);
  };
}

function answerFromCache(
  site: Site,
  security: readonly string[],
  req: IncomingMessage,
  res: ServerResponse,
): boolean {
  const { url = '', method } = req;
  if ((method !== 'GET' && method !== 'HEAD') || url.startsWith('/assets/') || url.includes('sent='))
    return false;
  const origin = originOf(site, req);
  if (origin === null) return false;
  const startedAt = performance.now();
  let lookup: ReturnType<typeof lookupOf>;
  try {
    lookup = lookupOf(site, pageRequestOf(url), origin, req.headers);
  } catch {
    // A path that cannot be decoded: the step that refuses it says so.
    return false;
  }
  const found = site.pages.find(lookup.key);
  // A 404 may have to be answered as JSON, and an old page may be worth a short wait: the steps see to it.
  if (!found || found.waitMs > 0 || (found.page.status === 404 && lookup.order.request.form === 'page'))
    return false;

  const id = randomUUID();
  // The page's own policy, where it has one, stands in the place of the site's.
  const extra = [
    ...withoutOverridden(security, found.page.headers),
    'X-Request-Id',
    id,
    ...hitHeaders(found),
  ];
  const bytes = sendStoredPage(req, res, found.page, extra);
  const stale = found.ttlMs <= 0;
  if (stale) {
    const order = { ...lookup.order, log: site.log, onEvent: site.metrics.contentEvent };
    site.pages.renew(lookup.key, signal => producePage(site, order, signal));
  }
  logRequest(site.log, site.metrics, req, url, {
    id,
    route: found.page.route,
    status: res.statusCode,
    startedAt,
    bytes,
    pageCache: stale ? 'stale' : 'hit',
    contentCache: NOTHING,
  });
  return true;
}

/** Without PUBLIC_URL the request's own host is part of the page; behind a proxy only Express can tell it. */
function originOf({ config }: Site, req: IncomingMessage): string | null {
  if (config.publicOrigin) return config.publicOrigin;
  const { host } = req.headers;
  return config.trustProxy === false && host !== undefined ? `http://${host}` : null;
}

/** Names appear once: `writeHead` would send both. */
function withoutOverridden(security: readonly string[], own: readonly string[]): readonly string[] {
  if (!own.includes('Content-Security-Policy')) return security;
  const at = security.indexOf('Content-Security-Policy');
  return [...security.slice(0, at), ...security.slice(at + 2)];
}
