import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { builtAssets } from './assets/built-assets.ts';
import { isWebhook } from './endpoints/content-webhook.ts';
import { probes } from './endpoints/probes.ts';
import { isCrawler } from './http/device-from-request.ts';
import { requestOpener } from './http/open-request.ts';
import { headLines, writeReadyHead } from './http/ready-head.ts';
import { openScope } from './http/request-scope.ts';
import { toOriginForm } from './http/request-target.ts';
import { refusedHosts, requestedHost, trustedProxies } from './http/served-hosts.ts';
import { logRequest } from './ops/access-log.ts';
import { cacheAnswerer } from './page/answer-from-cache.ts';
import { AskedPage } from './page/find-page.ts';
import type { Site } from './site.ts';

/** `contentCache` of the access log for assets and cache hits, which read no content. */
const NO_READS = {};
const ONLY_STORED = 'only-if-cached';

/**
 * Creates the listener of the HTTP server, which answers probes, and opens each other request once. The listener answers assets and cache hits itself, with the
 * security headers, and logs and counts them. All other requests go through the steps of the application.
 *
 * @param steps the application.
 * @param loadLater receives what no first page needs.
 */
export function createRequestListener(
  site: Site,
  steps: RequestListener,
  loadLater: (loads: Iterable<() => unknown>) => void = () => {},
): RequestListener {
  const { config, servesHost, routes, log, metrics, preview } = site;
  const trusts = trustedProxies(config);
  const nameRefused = refusedHosts(log);
  const openRequest = requestOpener({
    config,
    servesHost,
    acceptsAnyHost: isWebhook(config),
    trusts,
  });
  const assets = builtAssets(site);
  loadLater(assets.loads);
  const answerFromCache = cacheAnswerer(site);
  const answerProbe = probes(site);
  const notStored = headLines([
    ...site.securityHeaders,
    ['Cache-Control', 'no-store'],
    ['Content-Length', '0'],
  ]);

  return (req, res) => {
    toOriginForm(req);
    const { url = '', method } = req;
    if (answerProbe(req, res, url)) return;
    const open = openRequest(req);
    const { id, startedAt, refusal, origin, isPlainHttp } = open;
    if (refusal?.statusCode === 421) nameRefused(requestedHost(req, trusts));
    const asked = new AskedPage(routes, req, origin);
    if (refusal === null && (method === 'GET' || method === 'HEAD')) {
      const sendAsset = assets.find(url);
      const answered = sendAsset
        ? { route: null, pageCache: null, bytes: sendAsset(req, res, id) }
        : // A page that was asked for over plain HTTP is redirected to HTTPS by a step, and an editor's preview is stored nowhere.
          isPlainHttp || preview?.cookie.read(req.headers.cookie)
          ? null
          : answerFromCache(req, res, id, asked);
      if (answered) {
        metrics.answered('fast');
        logRequest(site, req, url, {
          id,
          startedAt,
          status: res.statusCode,
          contentCache: NO_READS,
          crawler: isCrawler(req.headers),
          ...answered,
        });
        return;
      }
    }
    // RFC 9111, 5.2.1.7. A proxy asks so to learn at once whether a replica answers (`deploy/nginx.conf`), and asks again without it.
    if (refusal === null && req.headers['cache-control'] === ONLY_STORED) {
      metrics.answered('not-stored');
      writeReadyHead(req, res, 504, notStored);
      res.end();
      return;
    }
    metrics.answered('express');
    handOver(res, { scope: openScope(open, log), asked });
    steps(req, res);
  };

  /** Sets `res.locals` before Express sees the response: Express keeps an object that is there. */
  function handOver(
    res: ServerResponse<IncomingMessage> & { locals?: Express.Locals },
    locals: Express.Locals,
  ): void {
    res.locals = locals;
  }
}
