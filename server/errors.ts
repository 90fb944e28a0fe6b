import { STATUS_CODES } from 'node:http';
import type { ContentLink } from '../shared/content/links.ts';
import type { AnswerText, Labels } from '../shared/labels/labels.ts';
import type { PageError } from '../shared/payload/http-error.ts';
import { errorTitle, HttpError, NavigationAbortedError } from '../shared/payload/http-error.ts';
import { WORDS } from '../site/all-words.ts';
import { NamedError } from './ops/named-error.ts';

type BackendFailure =
  | 'unreachable'
  | 'timeout'
  | 'status'
  | 'malformed'
  | 'too-large'
  | 'not-storable'
  | 'start-up'
  | 'emptied'
  | 'refused-by-breaker';

/** A failed call to the content backend. Visitors see a 503 if there is no stale content. */
export class BackendError extends NamedError {
  readonly kind: BackendFailure;
  /** Method and path. The query is left out, so that the call may be logged. */
  readonly call: string;
  readonly reason: string;
  readonly status: number | null;

  constructor(
    kind: BackendFailure,
    call: string,
    message: string,
    options: { status?: number; cause?: unknown } = {},
  ) {
    super(`${call}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.call = call;
    this.reason = message;
    this.status = options.status ?? null;
  }
}

/** Whether the reason is logged once for all requests, so that no request needs to log it again. */
export function isLoggedOnce(error: unknown): boolean {
  if (error instanceof SearchUnavailableError) return true;
  if (!(error instanceof BackendError)) return false;
  return error.kind === 'start-up' || error.call.startsWith('GET ');
}

export function saidError(label: AnswerText, statusCode: number): HttpError {
  return new HttpError(WORDS.en[label], statusCode, undefined, { say: labels => labels.text(label) });
}

export class SiteBusyError extends HttpError {
  constructor() {
    super(WORDS.en.siteBusy, 503, undefined, { say: labels => labels.text('siteBusy') });
    this.name = 'SiteBusyError';
  }
}

export class SearchUnavailableError extends HttpError {
  constructor() {
    super(WORDS.en.searchUnavailable, 503, undefined, { say: labels => labels.text('searchUnavailable') });
    this.name = 'SearchUnavailableError';
  }
}

export const RETRY_AFTER_S = 5;

/**
 * Decides which parts of an error visitors see. All error pages use this function.
 * @param suggestions pages with similar addresses, for a 404.
 *
 * | error | status | message |
 * |-------------------------------|------------------|----------------------------------------|
 * | HttpError | its own | its own: it was written for visitors |
 * | BackendError | 503 | a plain sentence |
 * | an http-errors 4xx of Express | its own | its short name |
 * | anything else | 500 | a plain sentence and the request id |
 */
export function toPageError(
  error: unknown,
  requestId: string,
  labels: Labels,
  suggestions: readonly ContentLink[] = [],
): PageError {
  if (error instanceof HttpError) {
    const message = error.say?.(labels) ?? error.message;
    // Middleware and `validate` choose the status. With one below 400 the error would pass for a success.
    const isErrorStatus =
      Number.isInteger(error.statusCode) && error.statusCode >= 400 && error.statusCode <= 599;
    const statusCode = isErrorStatus ? error.statusCode : 500;
    return {
      statusCode,
      statusMessage: error.statusMessage ?? statusMessageOf(statusCode, labels),
      message,
      ...(suggestions.length > 0 ? { suggestions } : {}),
      ...(error instanceof NavigationAbortedError ? { aborted: true } : {}),
    };
  }
  if (error instanceof BackendError) {
    return {
      statusCode: 503,
      statusMessage: statusMessageOf(503, labels),
      message: labels.text('contentMissing'),
    };
  }
  const status = clientErrorStatus(error);
  if (status !== null) {
    return {
      statusCode: status,
      statusMessage: statusMessageOf(status, labels),
      message: labels.text('unreadableRequest'),
    };
  }
  return {
    statusCode: 500,
    statusMessage: statusMessageOf(500, labels),
    message: labels.text('ourFault'),
    requestId,
  };
}

/** @returns a title for 404 and 410, otherwise the standard name of the status (RFC 9110, 15). */
function statusMessageOf(statusCode: number, labels: Labels): string {
  const title = errorTitle(statusCode, labels);
  if (statusCode === 404 || statusCode === 410) return title;
  const label = `status${statusCode}`;
  return isStatusLabel(label) ? labels.text(label) : (STATUS_CODES[statusCode] ?? title);
}

function isStatusLabel(name: string): name is Extract<AnswerText, `status${number}`> {
  return Object.hasOwn(WORDS.en, name);
}

/** body-parser and Express mark errors of the client with `expose` and a 4xx `status`. */
function clientErrorStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !('status' in error) || !('expose' in error)) return null;
  const { status, expose } = error;
  return expose === true && typeof status === 'number' && status >= 400 && status < 500 ? status : null;
}
