import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { CreatedSite } from './create-site.ts';
import { WEBHOOK_PATH } from './endpoints/content-webhook.ts';
import { previewRefusals } from './endpoints/preview.ts';
import { PROBLEMS_PATH } from './endpoints/problems.ts';
import { headLines, writeReadyHead } from './http/ready-head.ts';
import { clientClass } from './http/request/device-from-request.ts';
import {
  forwardedProtocol,
  type OpenRequest,
  requestOpener,
  toOriginForm,
} from './http/request/open-request.ts';
import { malformedAddress } from './http/request/refuse-request.ts';
import { openScope, withRequestId } from './http/request/request-scope.ts';
import { warnOfForwardedHeaders } from './http/security/forwarded-headers.ts';
import { refusedHosts, requestedHost, trustedProxies } from './http/security/served-hosts.ts';
import type { FixedRoute } from './ops/metrics/metric-table.ts';
import { logRequest } from './ops/requests/access-log.ts';
import { type AnsweredFromCache, cacheAnswerer } from './page/answer-from-cache.ts';
import { refusalAnswerer } from './page/answer-refused.ts';
import { AskedPage } from './page/find-page.ts';

const NO_READS = {};
const ASSET: FixedRoute = 'asset';
const ONLY_STORED = 'only-if-cached';

/** Answers probes, assets, cache hits and refusals directly. Passes other requests to the application. */
export function createRequestListener(parts: CreatedSite, app: RequestListener): RequestListener {
  const { config, servesHost, assets, routes, log, metrics, preview } = parts;
  const trusts = trustedProxies(config);
  const nameRefused = refusedHosts(log);
  const isAt = ({ url = '' }: IncomingMessage, path: string) => url.split('?', 1)[0] === path;
  const openRequest = requestOpener({
    config,
    servesHost,
    // The CMS may call any host: a secret protects these calls, and no response depends on the host.
    acceptsAnyHost: req =>
      (config.webhookSecret !== null && req.method === 'POST' && isAt(req, WEBHOOK_PATH)) ||
      (config.problemsToken !== null && req.method === 'GET' && isAt(req, PROBLEMS_PATH)),
    trusts,
  });
  const answerFromCache = cacheAnswerer(parts);
  const answerRefused = refusalAnswerer(parts);
  const refusedPreview = previewRefusals(parts);
  const noteProxies = warnOfForwardedHeaders(parts);
  const answerProbe = probes(parts);
  const answer = parts.tracing?.requests(app) ?? app;
  const notStored = headLines([
    ...parts.securityHeaders,
    ['Cache-Control', 'no-store'],
    ['Content-Length', '0'],
  ]);

  return (req, res) => {
    toOriginForm(req);
    const { url = '', method } = req;
    if (answerProbe(req, res, url)) return;
    const open = openRequest(req);
    const { id, origin, isPlainHttp } = open;
    if (open.refusal?.statusCode === 421) nameRefused(requestedHost(req, trusts));
    const asked = new AskedPage(routes, req, origin);
    if (open.refusal === null && (method === 'GET' || method === 'HEAD')) {
      const sendAsset = assets.find(url);
      const answered = sendAsset
        ? { route: ASSET, pageCache: null, bytes: sendAsset(req, res, id) }
        : // Skip the cache for plain HTTP, because a middleware may redirect it, and for previews.
          isPlainHttp || preview?.cookie.read(req.headers.cookie)
          ? null
          : answerFromCache(req, res, id, asked);
      if (answered) {
        metrics.count('site_answers_total', 'fast');
        logAnswer(req, res, url, open, answered);
        return;
      }
    }
    noteProxies(req, forwardedProtocol(req, trusts) === 'https');
    const refusal = open.refusal ?? malformedAddress(url) ?? refusedPreview(url);
    if (refusal) {
      metrics.count('site_answers_total', 'refused');
      const bytes = answerRefused(req, res, id, refusal);
      logAnswer(req, res, url, open, { route: null, pageCache: null, bytes });
      return;
    }
    // Tell a proxy at once that this replica lacks the page (RFC 9111, 5.2.1.7; `nginx.conf`).
    if (req.headers['cache-control'] === ONLY_STORED) {
      metrics.count('site_answers_total', 'not-stored');
      writeReadyHead(req, res, 504, notStored);
      res.end();
      return;
    }
    metrics.count('site_answers_total', 'express');
    // Set `locals` before Express, which keeps an existing object.
    Object.assign(res, { locals: { scope: openScope(open, log), asked } satisfies Express.Locals });
    withRequestId(id, res, () => answer(req, res));
  };

  function logAnswer(
    req: IncomingMessage,
    res: ServerResponse,
    url: string,
    open: OpenRequest,
    answered: AnsweredFromCache,
  ): void {
    logRequest(parts, req, url, {
      id: open.id,
      startedAt: open.startedAt,
      status: res.statusCode,
      cause: null,
      contentCache: NO_READS,
      message: null,
      host: open.host,
      client: clientClass(req.headers),
      // Name each field: a spread would take a tenth of the time of a cache hit.
      route: answered.route,
      bytes: answered.bytes,
      pageCache: answered.pageCache,
    });
  }
}

export const PROBE_PATHS = ['/livez', '/healthz', '/readyz'];

/**
 * Answers `/livez`, `/healthz` and `/readyz` on the site's port, for CDNs and balancers without access to the
 * ops port. Any host may ask, because balancers ask by IP address. Probes are not logged.
 */
function probes({ readiness, securityHeaders }: Pick<CreatedSite, 'readiness' | 'securityHeaders'>) {
  const head = headLines([
    ...securityHeaders,
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'text/plain; charset=utf-8'],
  ]);

  return (req: IncomingMessage, res: ServerResponse, url: string): boolean => {
    if (!PROBE_PATHS.includes(url) || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const asksReady = url === '/readyz';
    const word = asksReady ? readiness.state : 'ok';
    writeReadyHead(
      req,
      res,
      asksReady && !readiness.isReady ? 503 : 200,
      `${head}Content-Length: ${word.length}\r\n`,
    );
    res.end(req.method === 'HEAD' ? undefined : word);
    return true;
  };
}
