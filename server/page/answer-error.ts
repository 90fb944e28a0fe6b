import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Labels } from '../../shared/labels/labels.ts';
import type { PageError } from '../../shared/payload/http-error.ts';
import type { WorkQueue } from '../cache/work-queue.ts';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import {
  BackendError,
  isLoggedOnce,
  RETRY_AFTER_S,
  SearchUnavailableError,
  SiteBusyError,
  toPageError,
} from '../errors.ts';
import { DeadlineExceededError } from '../http/limits/request-deadline.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { wantsJson } from '../http/request/wants-json.ts';
import type { UnavailableCause } from '../ops/metrics/metric-table.ts';
import { sendCompressedJson } from '../page-cache/send-compressed.ts';
import { bareErrorDocument } from '../render/document.ts';
import type { ErrorPages } from '../render/error-pages.ts';
import type { HtmlRequest } from '../render/html-request.ts';
import { type RenderParts, renderBytes } from '../render/page-html.ts';
import type { PageRequest } from './page-request.ts';
import { type ErrorPageParts, errorPage, languageOfCached } from './resolve/load-page.ts';
import { sendPageBytes } from './send-page.ts';

export interface ErrorParts extends ReaderParts, ErrorPageParts, RenderParts {
  readonly errorPages: ErrorPages;
  readonly renderQueue: WorkQueue;
}

/** Answers errors of all middleware and handlers except `answerPage`, which answers its own. */
export function answerError(parts: ErrorParts): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => sendError(parts, req, res, error, null);
}

/** @param request null for an error outside of a page. */
export async function sendError(
  parts: ErrorParts,
  req: Request,
  res: Response,
  error: unknown,
  request: PageRequest | null,
): Promise<void> {
  const language = languageOfCached(parts, readerFor(parts, res));
  const pageError = reportError(res, error, language.labels);
  if (!pageError) return;
  const { statusCode, statusMessage, message } = pageError;
  if (statusCode === 503) res.set('Retry-After', String(RETRY_AFTER_S));
  if (request?.form !== 'payload' && wantsJson(req)) {
    res.status(statusCode).json({ error: true, url: req.originalUrl, statusCode, statusMessage, message });
    return;
  }
  const { signal, log, origin } = scopeOf(res);
  const page = () => errorPage(parts, { reader: readerFor(parts, res), origin }, pageError, null);
  if (request?.form === 'payload') {
    res.status(statusCode);
    return sendCompressedJson(req, res, page().payload);
  }
  const render = (html: HtmlRequest) =>
    parts.renderQueue.run(async () => {
      await parts.renderTick();
      return parts.metrics.timed('site_render_duration_seconds', () => renderBytes(parts, html, signal, log));
    }, signal);
  try {
    // Render no error page for a late or refused request. Anybody can provoke refusals outside of a page.
    const isRefused = error instanceof SiteBusyError || (request === null && statusCode < 500);
    if (!signal.aborted && !isRefused) {
      const html = { page: page(), request, origin, deviceClass: null, hydrate: req.method !== 'POST' };
      return await sendPageBytes(req, res, statusCode, await parts.errorPages(html, render));
    }
  } catch (failure) {
    if (!(failure instanceof SiteBusyError))
      log.error({ code: 'page-error-page-failed', err: failure }, 'the error page could not be rendered');
  }
  if (res.headersSent) res.destroy();
  else res.status(statusCode).type('html').send(bareErrorDocument(pageError, language));
}

/** Logs a 5xx and removes the failed response's headers. Returns null if it is too late for a response. */
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
    // Break the connection, because nothing else shows that the response is incomplete.
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
