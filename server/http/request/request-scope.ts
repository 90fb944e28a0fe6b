import type { Response } from 'express';
import type { Logger } from '../../ops/log.ts';
import { RequestTrace } from '../../ops/requests/access-log.ts';
import type { OpenRequest } from './open-request.ts';

/** The data of a request that middleware needs. Cache hits run no middleware and have no scope. */
export interface RequestScope extends OpenRequest {
  readonly log: Logger;
  /** Aborts when the client disconnects, or at the deadline for starting the answer. */
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

export function scopeOf(res: Response): RequestScope {
  return res.locals.scope;
}
