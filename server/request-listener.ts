import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { builtAssets } from './built-assets.ts';
import { cacheAnswerer } from './page-cache/answer-from-cache.ts';
import { logRequest } from './request-log.ts';
import type { Site } from './site.ts';

/** No content is read for what is answered here. */
const NOTHING = {};

/**
 * What the HTTP server calls: a file of the build and a page that is stored are answered at once, secured, counted and
 * logged like any other answer; everything else goes through the steps of the application.
 */
export function createRequestListener(site: Site, app: RequestListener): RequestListener {
  const findAsset = builtAssets(site);
  const answerFromCache = cacheAnswerer(site);

  return (req, res) => {
    const { url = '', method } = req;
    if (method !== 'GET' && method !== 'HEAD') return app(req, res);
    const startedAt = performance.now();
    const id = randomUUID();
    const sendAsset = findAsset(url);
    const answered = sendAsset
      ? { route: null, pageCache: null, bytes: sendAsset(req, res, id) }
      : answerFromCache(req, res, id);
    if (!answered) return app(req, res);
    const status = res.statusCode;
    logRequest(site.log, site.metrics, req, url, {
      id,
      startedAt,
      status,
      contentCache: NOTHING,
      ...answered,
    });
  };
}
