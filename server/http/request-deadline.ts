import type { RequestHandler } from 'express';
import en from '../../shared/labels/en-answers.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import { scopeOf } from './request-scope.ts';

/** Time in which aborted work has to send its error, in ms; then the connection is cut. */
const GRACE_MS = 1_000;

/** The abort reason of a request whose answer has not begun in time. */
export class DeadlineExceededError extends HttpError {
  constructor() {
    super(en.tooSlow, 503, undefined, { say: labels => labels.text('tooSlow') });
    this.name = 'DeadlineExceededError';
  }
}

/**
 * Aborts the signal of a request whose answer has not begun in time, and with it all work on the request.
 *
 * @param deadlineMs the time that an answer may take to begin, in ms.
 */
export function requestDeadline(deadlineMs: number): RequestHandler {
  return (_req, res, next) => {
    let timer = setTimeout(() => {
      if (res.headersSent) return;
      scopeOf(res).abort(new DeadlineExceededError());
      timer = setTimeout(() => {
        if (!res.headersSent) res.destroy();
      }, GRACE_MS);
    }, deadlineMs);
    res.once('close', () => clearTimeout(timer));
    next();
  };
}
