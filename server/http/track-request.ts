import type { Request, RequestHandler, Response } from 'express';
import { logRequest } from '../ops/access-log.ts';
import type { CacheStatus } from './cache-status.ts';
import { isCrawler } from './device-from-request.ts';
import { headBytes } from './ready-head.ts';
import { scopeOf } from './request-scope.ts';

/** Writes the access log when the answer is complete or the client has disconnected. In the second case all work on the request is aborted. */
export function trackRequest(
  site: Parameters<typeof logRequest>[0] & { pages: { readonly cacheStatus: CacheStatus } },
): RequestHandler {
  return (req, res, next) => {
    const { id, startedAt, abort, trace } = scopeOf(res);
    const bytesBefore = req.socket.bytesWritten;
    // Node knows the address of a closed socket if it was read before.
    void req.socket.remoteAddress;
    const { originalUrl } = req;
    res.setHeader('X-Request-Id', id);
    // Answers from the page cache, and pages rendered for it, set a `Cache-Status` of their own.
    res.setHeader('Cache-Status', site.pages.cacheStatus.bypass);
    res.once('close', () => {
      const isAborted = !res.writableFinished;
      if (isAborted) abort(new DOMException('The client has disconnected', 'AbortError'));
      logRequest(site, req, originalUrl, {
        id,
        startedAt,
        // A client that has disconnected got no status. nginx logs 499 for it, too.
        status: isAborted ? 499 : res.statusCode,
        bytes: bodyBytes(req, res, req.socket.bytesWritten - bytesBefore),
        crawler: isCrawler(req.headers),
        ...trace.record(),
      });
    });
    next();
  };
}

/** @returns the bytes of the body. The socket counts those of the head as well. */
function bodyBytes({ method }: Request, res: Response, written: number): number {
  const { statusCode } = res;
  // The site's redirects have no body.
  if (method === 'HEAD' || statusCode === 204 || (statusCode >= 300 && statusCode < 400)) return 0;
  return Math.max(0, written - headBytes(res));
}
