import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Logger } from '../../ops/log.ts';
import { RequestTrace } from '../../ops/requests/access-log.ts';
import type { OpenRequest } from './open-request.ts';

/** What middleware needs to know about a request. Cache hits run no middleware and have no scope. */
export interface RequestScope extends OpenRequest {
  readonly log: Logger;
  readonly traceId: string | null;
  /** Aborts when the client disconnects, or at the deadline for the beginning of the response. */
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
  let child: Logger | null = null;
  return {
    ...open,
    // Create the child logger on demand: most requests log nothing, and it takes a fifth of a hit's time.
    get log() {
      child ??= log.child({ id: open.id });
      return child;
    },
    traceId: null,
    signal: controller.signal,
    abort: reason => controller.abort(reason),
    trace: new RequestTrace(),
  };
}

export function scopeOf(res: Response): RequestScope {
  return res.locals.scope;
}

/** The ids of requests by asynchronous context. Cache hits enter none. */
const requestIds = new AsyncLocalStorage<{ id: string; isOpen: boolean }>();

/** Runs the application. Until the response has ended, `requestHeaders` returns the request's id. */
export function withRequestId(id: string, res: ServerResponse, answer: () => void): void {
  const request = { id, isOpen: true };
  res.once('close', () => {
    request.isOpen = false;
  });
  requestIds.run(request, answer);
}

/** Runs work outside of any request, such as the delivery of a form's message after the response. */
export function withoutRequestId<T>(work: () => T): T {
  return requestIds.exit(work);
}

/** @returns the header that names the current request in calls to the CMS. Later work has none. */
export function requestHeaders(): Readonly<Record<string, string>> {
  const request = requestIds.getStore();
  return request?.isOpen ? { 'X-Request-Id': request.id } : {};
}
