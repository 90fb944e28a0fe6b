import type { Request, RequestHandler, Response } from 'express';
import type { FormState } from '../../shared/forms/form-state.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { answerNotFound, type ErrorSite, sendError } from '../page/answer-error.ts';
import { answerRedirect } from '../page/answer-redirect.ts';
import { askedPageOf } from '../page/find-page.ts';
import type { PageRequest } from '../page/page-request.ts';
import { type ResolvingSite, resolvePage } from '../page/resolve-page.ts';
import type { NotFound } from '../page/resolved-page.ts';
import { sendPage } from '../page/send-page.ts';
import { BROWSER_CACHING } from '../page-cache/page-headers.ts';

type ThankingSite = ResolvingSite & ErrorSite;

/**
 * Answers `?sent=contact` and `?sent=subscribe`, to which a form post without JavaScript redirects, with the page and its thanks. The page
 * is rendered for this visitor and never stored.
 */
export function thankSender(site: ThankingSite): RequestHandler {
  return async (req, res, next) => {
    const { request } = askedPageOf(res);
    const formState = sentForm(request.query.get('sent'));
    if (formState === null) return next();
    const thanks: PageRequest = { ...request, formState };
    try {
      const notFound = await site.renderSlots.run(() => sendThanks(site, req, res, thanks));
      if (notFound) await answerNotFound(site, req, res, notFound, thanks);
    } catch (error) {
      await sendError(site, req, res, error, thanks);
    }
  };
}

/** @returns null when the answer has been sent, or the 404 that the caller answers in a render slot of its own. */
async function sendThanks(
  site: ThankingSite,
  req: Request,
  res: Response,
  request: PageRequest,
): Promise<NotFound | null> {
  const { log, signal, origin, trace } = scopeOf(res);
  trace.pageCache('bypass');
  const match = matchRoute(site.routes, request.path);
  const job = { request, match, reader: readerFor(site, res), origin, log, signal };
  const resolved = await resolvePage(site, job);
  if (resolved.kind === 'redirect') {
    answerRedirect(site.manifest, res, resolved.redirect, { request, match });
    return null;
  }
  trace.route(match?.route.id ?? null);
  if (resolved.kind === 'not-found') return resolved;
  res.set('Cache-Control', match?.route.readsFrom ? 'no-store' : BROWSER_CACHING);
  if (request.form === 'payload') res.json(resolved.page.payload);
  else await sendPage(site, req, res, { ...resolved, request, status: 200 });
  return null;
}

function sentForm(form: string | null): FormState | null {
  if (form !== 'contact' && form !== 'subscribe') return null;
  return { form, status: 'sent', message: null, errors: {}, values: {} };
}
