import type { RequestHandler } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { Site } from '../site.ts';
import { scopeOf } from './request-scope.ts';

/** What was given up is given this long to end by itself, in ms. */
const GRACE_MS = 1_000;

/** The abort reason of a request whose answer has not begun in time. */
export class DeadlineExceededError extends HttpError {
  constructor() {
    super('This page takes too long. Please try again in a moment.', 503);
    this.name = 'DeadlineExceededError';
  }
}

/** No answer is waited for without end: all work on a request hears of its deadline by the request's signal. */
export function requestDeadline({ requestDeadlineMs }: Site): RequestHandler {
  return (_req, res, next) => {
    let timer = setTimeout(() => {
      if (res.headersSent) return;
      scopeOf(res).giveUp(new DeadlineExceededError());
      timer = setTimeout(() => {
        if (!res.headersSent) res.destroy();
      }, GRACE_MS);
    }, requestDeadlineMs);
    res.once('close', () => clearTimeout(timer));
    next();
  };
}
