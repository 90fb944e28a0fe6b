import type { Request, RequestHandler, Response } from 'express';
import { logRequest, type RequestLogParts } from '../../ops/requests/access-log.ts';
import type { CacheStatus } from '../cache-status.ts';
import { headBytes } from '../ready-head.ts';
import { clientClass } from './device-from-request.ts';
import { scopeOf } from './request-scope.ts';

interface TrackParts extends RequestLogParts {
  readonly pages: { readonly cacheStatus: CacheStatus };
}

/** Writes the access log after the response. Aborts all work when the client disconnects. */
export function trackRequest(parts: TrackParts): RequestHandler {
  return (req, res, next) => {
    const { id, startedAt, host, abort, trace, traceId } = scopeOf(res);
    const bytesBefore = req.socket.bytesWritten;
    // Read the address now, because Node forgets it when the socket closes.
    void req.socket.remoteAddress;
    const { originalUrl } = req;
    res.setHeader('X-Request-Id', id);
    res.setHeader('Cache-Status', parts.pages.cacheStatus.bypass);
    res.once('close', () => {
      const isAborted = !res.writableFinished;
      if (isAborted) abort(new DOMException('The client has disconnected', 'AbortError'));
      logRequest(parts, req, originalUrl, {
        id,
        traceId,
        startedAt,
        // nginx logs 499 for a client that has disconnected, too.
        status: isAborted ? 499 : res.statusCode,
        bytes: bodyBytes(req, res, req.socket.bytesWritten - bytesBefore),
        host,
        client: clientClass(req.headers),
        ...trace,
      });
    });
    next();
  };
}

function bodyBytes({ method }: Request, res: Response, written: number): number {
  const { statusCode } = res;
  if (method === 'HEAD' || statusCode === 204 || (statusCode >= 300 && statusCode < 400)) return 0;
  return Math.max(0, written - headBytes(res));
}
