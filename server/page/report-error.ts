import type { Response } from 'express';
import type { Labels } from '../../shared/labels/labels.ts';
import type { PageError } from '../../shared/payload/http-error.ts';
import { BackendError, isLoggedOnce, SearchUnavailableError, SiteBusyError, toPageError } from '../errors.ts';
import { DeadlineExceededError } from '../http/limits/request-deadline.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import type { UnavailableCause } from '../ops/metrics/metric-table.ts';

/** Logs a 5xx and removes the failed answer's headers. Returns null if it is too late for an answer. */
export function reportError(res: Response, error: unknown, labels: Labels): PageError | null {
  const { id, traceId, log, signal, trace } = scopeOf(res);
  if (signal.aborted && !(signal.reason instanceof DeadlineExceededError)) return null;
  const pageError = toPageError(error, traceId === null ? id : `${id} ${traceId}`, labels);
  if (pageError.statusCode === 503) trace.cause = causeOf(error);
  // Skip refusals of a busy site: they come in large numbers, and the access log has their status.
  if (pageError.statusCode >= 500 && !(error instanceof SiteBusyError))
    log[isLoggedOnce(error) ? 'debug' : 'error'](
      { code: 'http-request-failed', err: error },
      'request failed',
    );
  if (res.headersSent) {
    // Break the connection, because nothing else shows that the answer is incomplete.
    res.destroy();
    return null;
  }
  clearHeaders(res);
  return pageError;
}

function causeOf(error: unknown): UnavailableCause {
  if (error instanceof SiteBusyError) return 'busy';
  if (error instanceof DeadlineExceededError) return 'late';
  if (error instanceof SearchUnavailableError) return 'search';
  if (error instanceof BackendError) return error.kind === 'start-up' ? 'loading' : 'cms';
  return 'other';
}

function clearHeaders(res: Response): void {
  for (const name of ['ETag', 'Content-Length', 'Content-Encoding', 'Content-Disposition'])
    res.removeHeader(name);
  res.set('Cache-Control', 'no-store').vary('Accept');
}
