import type { Response } from 'express';
import type { Logger } from '../ops/log.ts';
import { RequestTrace } from '../ops/request-trace.ts';
import type { OpenRequest } from './open-request.ts';

/** An open request with the things that the steps of the application need, and an answer by the listener does not. */
export interface RequestScope extends OpenRequest {
  /** Its lines carry the request's id. */
  readonly log: Logger;
  /** Aborted when the client disconnects before its answer is complete. */
  readonly signal: AbortSignal;
  /** Aborts the signal for another reason: the client is still to be answered. */
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

/** @returns the scope of a request that goes through the steps. */
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
