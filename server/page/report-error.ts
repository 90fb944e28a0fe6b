import type { Response } from 'express';
import type { Labels } from '../../shared/labels/labels.ts';
import type { PageError } from '../../shared/payload/http-error.ts';
import { isLoggedOnce, SiteBusyError, toPageError } from '../errors.ts';
import { DeadlineExceededError } from '../http/limits/request-deadline.ts';
import { scopeOf } from '../http/request/request-scope.ts';

/** Logs a 5xx and removes the failed answer's headers. Returns null when no answer can be sent any more. */
export function reportError(res: Response, error: unknown, labels: Labels): PageError | null {
  const { id, log, signal } = scopeOf(res);
  if (signal.aborted && !(signal.reason instanceof DeadlineExceededError)) return null;
  const pageError = toPageError(error, id, labels);
  // A busy site refuses many pages at a time, and the access log has their status.
  if (pageError.statusCode >= 500 && !(error instanceof SiteBusyError))
    log[isLoggedOnce(error) ? 'debug' : 'error'](
      { code: 'http-request-failed', err: error },
      'request failed',
    );
  if (res.headersSent) {
    // Only a broken connection says that the rest of the answer is missing.
    res.destroy();
    return null;
  }
  clearHeaders(res);
  return pageError;
}

function clearHeaders(res: Response): void {
  for (const name of ['ETag', 'Content-Length', 'Content-Encoding', 'Content-Disposition'])
    res.removeHeader(name);
  res.set('Cache-Control', 'no-store').vary('Accept');
}
