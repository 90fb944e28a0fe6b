import type { Request, RequestHandler } from 'express';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import type { Config } from '../config.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { ProcessLogger } from '../ops/log.ts';
import { endWithoutBody } from './end-without-body.ts';
import { scopeOf } from './request-scope.ts';

/** Time in ms in which a client that asks for the same address again counts as one that has come back from the redirect. */
const COMES_BACK_WITHIN_MS = 10_000;
/** Most redirects that are remembered. */
const MAX_REMEMBERED = 1_000;

/**
 * Redirects pages from plain HTTP to HTTPS (308), where PUBLIC_URL is https and a trusted proxy says that the client used HTTP. Payloads are
 * not redirected, and the steps before this one answer files, endpoints and forms: only a person's browser follows a redirect
 * in sight of the person (OWASP ASVS 5.0, 4.1.2).
 *
 * A proxy behind another one may say `http` for every client. The redirect must not become a loop then: a browser that has used HTTPS
 * gives itself away by `Sec-Fetch-Mode`, and any other client gets the page when it comes back.
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
    if (hasUsedHttps(req)) {
      if (!isWarned)
        log.warn(
          { remedy: REMEDY },
          'a proxy reports plain HTTP for a request that a browser made over HTTPS',
        );
      isWarned = true;
      return next();
    }
    const visit = `${req.ip} ${req.method} ${req.originalUrl}`;
    if (redirected.has(visit)) return next();
    redirected.set(visit, true);
    // A cache in front that does not distinguish the two protocols would answer HTTPS with the redirect, too.
    endWithoutBody(
      res.set('Cache-Control', 'no-store').status(308).location(`${publicOrigin}${req.originalUrl}`),
    );
  };
}

const REMEDY =
  'the proxy that the clients connect to must set X-Forwarded-Proto, and those behind it must leave it as it is';

/** Browsers send `Sec-Fetch-*` over HTTPS alone (W3C, Fetch Metadata Request Headers, 2). */
function hasUsedHttps({ headers }: Request): boolean {
  return headers['sec-fetch-mode'] !== undefined;
}
