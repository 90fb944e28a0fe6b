import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import { builtAssets } from './assets/built-assets.ts';
import { isCrawler } from './http/device-from-request.ts';
import { refusalOf } from './http/refusal.ts';
import { trustedProxies } from './http/served-hosts.ts';
import { logRequest } from './ops/access-log.ts';
import { cacheAnswerer } from './page/answer-from-cache.ts';
import type { Site } from './site.ts';

/** No content is read for what is answered here. */
const NOTHING = {};

/**
 * What the HTTP server calls: a file of the build and a page that is stored are answered at once, secured, counted and
 * logged like any other answer; everything else goes through the steps of the application.
 *
 * @param steps what is called for that: the application, unless somebody wants to know of each request that gets there.
 */
export function createRequestListener(
  site: Site,
  app: Express,
  steps: RequestListener = app,
): RequestListener {
  const findAsset = builtAssets(site);
  const answerFromCache = cacheAnswerer(site);
  const trusts = trustedProxies(site.config);

  return (req, res) => {
    const { url = '', method } = req;
    if (method !== 'GET' && method !== 'HEAD') return steps(req, res);
    // The step of the same name says why, to whom it concerns.
    if (refusalOf(site, req, trusts)) return steps(req, res);
    const startedAt = performance.now();
    const id = randomUUID();
    const sendAsset = findAsset(url);
    const answered = sendAsset
      ? { route: null, pageCache: null, bytes: sendAsset(req, res, id) }
      : answerFromCache(req, res, id);
    if (!answered) return steps(req, res);
    const status = res.statusCode;
    logRequest(site.log, site.metrics, req, url, {
      id,
      startedAt,
      status,
      contentCache: NOTHING,
      crawler: isCrawler(req.headers),
      ...answered,
    });
  };
}
