import type { RequestHandler } from 'express';
import { PAYLOAD_SUFFIX } from '../../../shared/routing/payload-address.ts';
import type { Config } from '../../config/config.ts';
import { boundedMap } from '../../ops/bounded-map.ts';
import type { ProcessLogger } from '../../ops/log.ts';
import { endWithoutBody } from '../end-without-body.ts';
import { scopeOf } from '../request/request-scope.ts';

const COMES_BACK_WITHIN_MS = 10_000;
const MAX_REMEMBERED = 1_000;

/**
 * Redirects pages to HTTPS (308) if PUBLIC_URL is https and a trusted proxy reports HTTP. Payloads and
 * endpoints do not redirect (OWASP ASVS 5.0, 4.1.2). A proxy behind another one may report `http` for every
 * client, and the redirect would loop. So a browser known to use HTTPS gets the page, and so does a client
 * that comes back after the redirect.
 */
export function redirectToHttps({
  config: { publicOrigin },
  log,
}: {
  config: Pick<Config, 'publicOrigin'>;
  log: ProcessLogger;
}): RequestHandler {
  const redirected = boundedMap<true>(MAX_REMEMBERED, { ttl: COMES_BACK_WITHIN_MS });
  let isWarned = false;

  return (req, res, next) => {
    if (!scopeOf(res).isPlainHttp || req.path.endsWith(PAYLOAD_SUFFIX)) return next();
    // Browsers send `Sec-Fetch-*` only over HTTPS (W3C, Fetch Metadata, 2).
    if (req.headers['sec-fetch-mode'] !== undefined) {
      if (!isWarned)
        log.warn(
          { code: 'http-proxy-reports-http', remedy: REMEDY },
          'a proxy reports plain HTTP for a request that a browser made over HTTPS',
        );
      isWarned = true;
      return next();
    }
    const visit = `${req.ip} ${req.method} ${req.originalUrl}`;
    if (redirected.has(visit)) return next();
    redirected.set(visit, true);
    // Forbid storage, because a CDN that ignores the protocol would answer HTTPS with this redirect.
    endWithoutBody(
      res.set('Cache-Control', 'no-store').status(308).location(`${publicOrigin}${req.originalUrl}`),
    );
  };
}

const REMEDY =
  'the proxy that the clients connect to must set X-Forwarded-Proto, and those behind it must leave it as it is';
