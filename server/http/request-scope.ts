import type { Response } from 'express';
import type { Logger } from '../ops/log.ts';
import { RequestTrace } from '../ops/request-trace.ts';
import type { OpenRequest } from './open-request.ts';

/** An open request with all that the steps of the application need. An answer by the listener itself, such as a cache hit, has no scope. */
export interface RequestScope extends OpenRequest {
  /** Adds the request's id to each line. */
  readonly log: Logger;
  /** Aborted when the client disconnects before its answer is complete, or when the answer has not begun by the deadline. */
  readonly signal: AbortSignal;
  readonly abort: (reason: Error) => void;
  readonly trace: RequestTrace;
}

declare global {
  namespace Express {
    interface Locals {
      scope: RequestScope;
    }
  }
}

export function openScope(open: OpenRequest, log: Logger): RequestScope {
  const controller = new AbortController();
  return {
    ...open,
    log: log.child({ id: open.id }),
    signal: controller.signal,
    abort: reason => controller.abort(reason),
    trace: new RequestTrace(),
  };
}

/** @returns the request's scope, which the listener has put into `res.locals`. */
export function scopeOf(res: Response): RequestScope {
  return res.locals.scope;
}
