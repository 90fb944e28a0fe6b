import type { Request, RequestHandler, Response } from 'express';
import { logRequest, type RequestLogParts } from '../../ops/requests/access-log.ts';
import type { CacheStatus } from '../cache-status.ts';
import { headBytes } from '../ready-head.ts';
import { isCrawler } from './device-from-request.ts';
import { scopeOf } from './request-scope.ts';

export interface TrackParts extends RequestLogParts {
  readonly pages: { readonly cacheStatus: CacheStatus };
}

/** Writes the access log at the end of the answer. Aborts all work when the client has disconnected. */
export function trackRequest(parts: TrackParts): RequestHandler {
  return (req, res, next) => {
    const { id, startedAt, abort, trace } = scopeOf(res);
    const bytesBefore = req.socket.bytesWritten;
    // Node knows the address of a closed socket if it was read before.
    void req.socket.remoteAddress;
    const { originalUrl } = req;
    res.setHeader('X-Request-Id', id);
    // Pages replace this value.
    res.setHeader('Cache-Status', parts.pages.cacheStatus.bypass);
    res.once('close', () => {
      const isAborted = !res.writableFinished;
      if (isAborted) abort(new DOMException('The client has disconnected', 'AbortError'));
      logRequest(parts, req, originalUrl, {
        id,
        startedAt,
        // nginx logs 499 for a client that has disconnected, too.
        status: isAborted ? 499 : res.statusCode,
        bytes: bodyBytes(req, res, req.socket.bytesWritten - bytesBefore),
        crawler: isCrawler(req.headers),
        ...trace.record(),
      });
    });
    next();
  };
}

/** The socket counts the bytes of the head as well. */
function bodyBytes({ method }: Request, res: Response, written: number): number {
  const { statusCode } = res;
  // The site's redirects have no body.
  if (method === 'HEAD' || statusCode === 204 || (statusCode >= 300 && statusCode < 400)) return 0;
  return Math.max(0, written - headBytes(res));
}
