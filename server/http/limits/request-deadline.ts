import type { RequestHandler } from 'express';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { WORDS } from '../../../site/all-words.ts';
import { scopeOf } from '../request/request-scope.ts';

/** The time for aborted work to send its error, in ms. Later the connection is cut. */
const GRACE_MS = 1_000;

export class DeadlineExceededError extends HttpError {
  constructor() {
    super(WORDS.en.tooSlow, 503, undefined, { say: labels => labels.text('tooSlow') });
    this.name = 'DeadlineExceededError';
  }
}

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
