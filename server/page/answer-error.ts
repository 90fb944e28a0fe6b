import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Labels } from '../../shared/labels/labels.ts';
import type { PageError } from '../../shared/payload/payload.ts';
import { readerFor } from '../content/reader-for-request.ts';
import type { SiteLanguage } from '../content/site-language.ts';
import { isLoggedOnce, RETRY_AFTER_S, SiteBusyError, toPageError } from '../errors.ts';
import { DeadlineExceededError } from '../http/request-deadline.ts';
import { scopeOf } from '../http/request-scope.ts';
import { wantsJson } from '../http/wants-json.ts';
import { sendCompressedJson } from '../page-cache/send-compressed.ts';
import { bareErrorDocument } from '../render/document.ts';
import type { HtmlRequest } from '../render/html-request.ts';
import type { Site } from '../site.ts';
import { errorPage, languageOfCached } from './load-page.ts';
import type { PageRequest } from './page-request.ts';
import { renderBytes } from './render-bytes.ts';
import { sendPageBytes } from './send-page.ts';

/** The parts of the site with which an error is answered. */
export type ErrorSite = Pick<
  Site,
  | 'content'
  | 'metrics'
  | 'manifest'
  | 'languageOf'
  | 'renderQueue'
  | 'renderTurn'
  | 'errorPages'
  | 'renderPage'
  | 'renderTimeoutMs'
  | 'config'
  | 'preloadLinks'
  | 'settingsInDocument'
  | 'shownPreview'
>;

/**
 * The last step: answers the errors that no earlier step has answered. `answerPage` answers the errors of its pages
 * itself. `errors.ts` decides which parts a visitor sees.
 */
export function answerError(site: ErrorSite): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => sendError(site, req, res, error, null);
}

/**
 * Answers an error, by the error page, the error payload or JSON.
 *
 * @param request the page that was asked for; null for the error of a step that answers no page.
 */
export async function sendError(
  site: ErrorSite,
  req: Request,
  res: Response,
  error: unknown,
  request: PageRequest | null,
): Promise<void> {
  const language = languageOfCached(site, readerFor(site, res));
  const pageError = reportError(res, error, language.labels);
  if (pageError)
    await answer(site, req, res, {
      ...{ error: pageError, request, language },
      isBusy: error instanceof SiteBusyError,
    });
}

/**
 * Writes a 5xx error to the log and removes the headers of the answer that failed.
 *
 * @returns the error as the visitor sees it; null when no answer can be sent any more.
 */
export function reportError(res: Response, error: unknown, labels: Labels): PageError | null {
  const { id, log, signal } = scopeOf(res);
  if (signal.aborted && !(signal.reason instanceof DeadlineExceededError)) return null;
  const pageError = toPageError(error, id, labels);
  // SiteBusyError has no line of its own: a busy site refuses many pages at a time, and the access log has their status. A failure
  // of the backend has one line for all requests, with the state of the content type.
  if (pageError.statusCode >= 500 && !(error instanceof SiteBusyError))
    log[isLoggedOnce(error) ? 'debug' : 'error']({ err: error }, 'request failed');
  if (res.headersSent) {
    // Half of an answer was sent: only a broken connection tells the client that the rest is missing.
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

interface AnsweredError {
  error: PageError;
  request: PageRequest | null;
  language: SiteLanguage;
  /** Whether the site is too busy to render an error page. */
  isBusy: boolean;
}

async function answer(site: ErrorSite, req: Request, res: Response, answered: AnsweredError): Promise<void> {
  const { error, request, language, isBusy } = answered;
  const { statusCode, statusMessage, message } = error;
  if (statusCode === 503) res.set('Retry-After', String(RETRY_AFTER_S));
  if (request?.form !== 'payload' && wantsJson(req)) {
    res.status(statusCode).json({ error: true, url: req.originalUrl, statusCode, statusMessage, message });
    return;
  }
  const { signal, log, origin } = scopeOf(res);
  const page = () => errorPage(site, { reader: readerFor(site, res), origin }, error, null);
  if (request?.form === 'payload') {
    res.status(statusCode);
    return sendCompressedJson(req, res, page().payload);
  }
  const render = (html: HtmlRequest) =>
    site.renderQueue.run(async () => {
      await site.renderTurn();
      return site.metrics.rendering(() => renderBytes(site, html, signal, log));
    }, signal);
  try {
    // A request past its deadline gets the bare document below, and so does one that the queue has refused: no more work is done for it. A step
    // that answers no page has refused the request: anybody may provoke that at no cost.
    const isRefused = isBusy || (request === null && statusCode < 500);
    if (!signal.aborted && !isRefused) {
      const html = { page: page(), request, origin, deviceClass: null, hydrate: req.method !== 'POST' };
      return await sendPageBytes(req, res, statusCode, await site.errorPages(html, render));
    }
  } catch (failure) {
    if (!(failure instanceof SiteBusyError))
      log.error({ err: failure }, 'the error page could not be rendered');
  }
  if (res.headersSent) res.destroy();
  else res.status(statusCode).type('html').send(bareErrorDocument(error, language));
}
