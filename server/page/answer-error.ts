import type { ErrorRequestHandler, Request, Response } from 'express';
import type { FormState } from '../../shared/forms/form-state.ts';
import { errorTitle } from '../../shared/payload/http-error.ts';
import type { PageError } from '../../shared/payload/payload.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { RETRY_AFTER_S, SiteBusyError, toPageError } from '../errors.ts';
import { bareFormDocument } from '../forms/bare-form-document.ts';
import { pageStatusOf } from '../forms/page-status.ts';
import { DeadlineExceededError } from '../http/request-deadline.ts';
import { scopeOf } from '../http/request-scope.ts';
import { wantsJson } from '../http/wants-json.ts';
import { bareErrorDocument } from '../render/document.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import type { Site } from '../site.ts';
import { errorPage } from './load-page.ts';
import { sendPage } from './send-page.ts';

/** The one exit of all errors: what the visitor gets is decided in `errors.ts`, what happened goes to the log. */
export function answerError(site: Site): ErrorRequestHandler {
  return async (error: unknown, req, res, _next) => {
    const scope = scopeOf(res);
    if (scope.signal.aborted && !(scope.signal.reason instanceof DeadlineExceededError)) return;
    const pageError = toPageError(error, scope.id);
    // Of those there are many at a time, and their lines of the log say all there is to say.
    if (pageError.statusCode >= 500 && !(error instanceof SiteBusyError))
      scope.log.error({ err: error }, 'request failed');
    if (res.headersSent) {
      // Half an answer is out: a broken connection is the only honest end.
      res.destroy();
      return;
    }
    for (const name of ['ETag', 'Content-Length', 'Content-Encoding', 'Content-Disposition'])
      res.removeHeader(name);
    res.set('Cache-Control', 'no-store').vary('Accept');
    const formState = scope.page?.formState;
    // What became of the post is known, and what was typed is not to be lost with the page.
    if (req.method === 'POST' && formState) return sendForm(res, formState);
    if (pageError.statusCode === 503) res.set('Retry-After', String(RETRY_AFTER_S));
    const page = errorPage(site, readerFor(site, res), pageError, scope.page?.match ?? null);
    if (scope.page?.form === 'payload') sendPayload(res, page, pageError);
    else if (wantsJson(req)) sendJson(req, res, pageError);
    else await sendHtml(site, req, res, page, pageError);
  };
}

function sendForm(res: Response, formState: FormState): void {
  const status = pageStatusOf(formState);
  if (status === 503) res.set('Retry-After', String(RETRY_AFTER_S));
  res.status(status).type('html').send(bareFormDocument(formState));
}

/** That a page does not exist is a good answer to the question for its payload; that it cannot be had is not. */
function sendPayload(res: Response, page: LoadedPage, { statusCode }: PageError): void {
  res.status(statusCode === 404 ? 200 : statusCode).json(page.payload);
}

function sendJson(req: Request, res: Response, { statusCode, statusMessage, message }: PageError): void {
  res.status(statusCode).json({ error: true, url: req.originalUrl, statusCode, statusMessage, message });
}

async function sendHtml(
  site: Site,
  req: Request,
  res: Response,
  page: LoadedPage,
  error: PageError,
): Promise<void> {
  const { signal, log } = scopeOf(res);
  try {
    // A request that has had its time gets no more work than a few words.
    if (!signal.aborted)
      return await site.renderSlots.run(() => sendPage(site, req, res, page, error.statusCode));
  } catch (failure) {
    if (!(failure instanceof SiteBusyError))
      log.error({ err: failure }, 'the error page could not be rendered');
  }
  if (res.headersSent) res.destroy();
  else
    res
      .status(error.statusCode)
      .type('html')
      .send(bareErrorDocument(error.statusCode, errorTitle(error.statusCode), error.message));
}
