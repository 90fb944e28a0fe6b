import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { logRequest } from '../ops/access-log.ts';
import type { Site } from '../site.ts';
import { BYPASS_STATUS } from './cache-status.ts';
import { isCrawler } from './device-from-request.ts';
import type { RequestScope } from './request-scope.ts';

/** Opens the request's scope and writes its line in the log when the answer is out, or when the client has gone. */
export function requestScope(site: Site): RequestHandler {
  return (req, res, next) => {
    const id = randomUUID();
    const startedAt = performance.now();
    const bytesBefore = req.socket.bytesWritten;
    const { originalUrl } = req;
    const controller = new AbortController();
    const log = site.log.child({ id });
    const scope: RequestScope = {
      id,
      log,
      startedAt,
      isDevelopment: site.config.devReload,
      signal: controller.signal,
      giveUp: reason => controller.abort(reason),
      origin: site.config.publicOrigin ?? '',
      cacheEvents: {},
      page: null,
      pageCache: null,
      route: null,
    };
    res.locals.scope = scope;
    res.setHeader('X-Request-Id', id);
    // What comes out of the page cache, or might have, says so in its place.
    res.setHeader('Cache-Status', BYPASS_STATUS);

    res.once('close', () => {
      const aborted = !res.writableFinished;
      if (aborted) controller.abort(new DOMException('The client has gone', 'AbortError'));
      logRequest(site.log, site.metrics, req, originalUrl, {
        id,
        route: scope.route ?? scope.page?.match?.route.id ?? null,
        // Nobody got this status when the client has gone: nginx's 499 says so.
        status: aborted ? 499 : res.statusCode,
        startedAt,
        bytes: bodyBytes(req, res, req.socket.bytesWritten - bytesBefore),
        pageCache: scope.pageCache,
        contentCache: scope.cacheEvents,
        crawler: isCrawler(req.headers),
      });
    });

    // Whether the host is one of ours is the next step's to say.
    if (scope.origin === '') scope.origin = `${req.secure ? 'https' : 'http'}://${req.host}`;
    next();
  };
}

/** Of a body whose length was not known beforehand its head is counted, too: nothing tells the two apart. */
function bodyBytes({ method }: Request, res: Response, written: number): number {
  const { statusCode } = res;
  // None of the site's redirects has a body, either.
  if (method === 'HEAD' || statusCode === 204 || (statusCode >= 300 && statusCode < 400)) return 0;
  const length = res.getHeader('Content-Length');
  return length === undefined ? written : Math.min(written, Number(length));
}
