import type { Request, Response } from 'express';
import type { Settings } from '../../shared/content/settings.ts';
import type { FormState } from '../../shared/forms/form-state.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { RETRY_AFTER_S } from '../errors.ts';
import { scopeOf } from '../http/request-scope.ts';
import { reportError } from '../page/answer-error.ts';
import { answerRedirect } from '../page/answer-redirect.ts';
import { languageOfCached } from '../page/load-page.ts';
import type { PageRequest } from '../page/page-request.ts';
import { type ResolvingSite, resolvePage } from '../page/resolve-page.ts';
import type { ResolvedPage } from '../page/resolved-page.ts';
import { sendPage } from '../page/send-page.ts';
import { NO_STORE_HEADERS } from '../page-cache/page-headers.ts';
import { sendCompressed } from '../page-cache/send-compressed.ts';
import type { RenderingSite } from '../render/page-html.ts';
import type { Site } from '../site.ts';
import { bareFormDocument } from './bare-form-document.ts';

/** The parts of the site that answering a form post with a page needs. */
export type FormPageSite = ResolvingSite &
  RenderingSite &
  Pick<Site, 'content' | 'metrics' | 'formQueue' | 'renderTurn'>;

type Address = Pick<PageRequest, 'path' | 'search' | 'query'>;

/** The HTTP status of a page that shows the outcome of a form post. */
const STATUSES = { sent: 200, invalid: 422, limited: 429, failed: 503 } as const;
const HOME: Address = { path: '/', search: '', query: new URLSearchParams() };

/**
 * Answers a form post without JavaScript with the page of the form, which shows the problems and all typed words. When that page
 * cannot be rendered, the answer is the form alone. So it is for a post beyond the limit, because such posts may be very many.
 */
export async function answerWithPage(
  site: FormPageSite,
  req: Request,
  res: Response,
  address: Address,
  formState: FormState,
): Promise<void> {
  const reader = readerFor(site, res);
  const language = languageOfCached(site, reader);
  const consent = reader.peek<Settings>('settings')?.subscribeConsent ?? null;
  const sendForm = () => {
    setStatus(res, formState);
    const form = Buffer.from(bareFormDocument(formState, language, consent));
    return sendCompressed(req, res, 'text/html; charset=utf-8', form);
  };
  if (formState.status === 'limited') return sendForm();
  try {
    // `formQueue` and not `renderQueue`: the page can be rendered even while other visitors use all places, and waits for none.
    await site.formQueue.run(() => sendFormPage(site, req, res, address, formState), scopeOf(res).signal);
  } catch (error) {
    if (reportError(res, error, language.labels)) await sendForm();
  }
}

async function sendFormPage(
  site: FormPageSite,
  req: Request,
  res: Response,
  address: Address,
  formState: FormState,
): Promise<void> {
  const { trace } = scopeOf(res);
  trace.pageCache('bypass');
  const { request, resolved } = await resolveOrHome(site, res, address, formState);
  if (resolved.kind === 'redirect')
    return answerRedirect(site.manifest, res, resolved.redirect, { request }, NO_STORE_HEADERS);
  if (resolved.kind === 'not-found') throw resolved.error;
  trace.route(resolved.match.route.id);
  res.set('Cache-Control', 'no-store');
  setStatus(res, formState);
  await sendPage(site, req, res, { ...resolved, request, status: STATUSES[formState.status] });
}

/**
 * Resolves the page of the form. If it has moved or does not exist (error pages have the subscribe form, too), the home page is
 * resolved in its place: it has both forms and can show the typed words.
 */
async function resolveOrHome(
  site: FormPageSite,
  res: Response,
  address: Address,
  formState: FormState,
): Promise<{ request: PageRequest; resolved: ResolvedPage }> {
  const { log, signal, origin } = scopeOf(res);
  const reader = readerFor(site, res);
  const resolve = async (at: Address) => {
    const request: PageRequest = { form: 'page', ...at, build: null, from: null, formState };
    const match = matchRoute(site.routes, at.path);
    return { request, resolved: await resolvePage(site, { request, match, reader, origin, log, signal }) };
  };
  try {
    const outcome = await resolve(address);
    if (outcome.resolved.kind === 'page') return outcome;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
  return resolve(HOME);
}

function setStatus(res: Response, { status }: FormState): void {
  res.status(STATUSES[status]);
  if (status === 'failed') res.set('Retry-After', String(RETRY_AFTER_S));
}
