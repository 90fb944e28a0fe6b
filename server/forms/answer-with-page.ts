import type { Request, Response } from 'express';
import type { RichText } from '../../shared/content/rich-text.ts';
import { sentenceText } from '../../shared/content/sentence-text.ts';
import { CONTACT_FIELDS } from '../../shared/forms/contact-fields.ts';
import { SUBSCRIBE_FIELDS } from '../../shared/forms/form-limits.ts';
import type { FormState } from '../../shared/forms/form-state.ts';
import { isPageForm, labelOf } from '../../shared/forms/page-form.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import type { WorkQueue } from '../cache/work-queue.ts';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import type { SiteLanguage } from '../content/reading/site-language.ts';
import { RETRY_AFTER_S } from '../errors.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import type { ProcessLogger } from '../ops/log.ts';
import { forWebhook } from '../outbox/form-webhook.ts';
import { MessageNotAcceptedError, type Outbox } from '../outbox/outbox.ts';
import { reportError } from '../page/answer-error.ts';
import { answerRedirect } from '../page/answer-redirect.ts';
import type { PageRequest } from '../page/page-request.ts';
import { languageOfCached } from '../page/resolve/load-page.ts';
import { type ResolveParts, resolvePage } from '../page/resolve/resolve-page.ts';
import type { ResolvedPage } from '../page/resolve/resolved-page.ts';
import { sendPage } from '../page/send-page.ts';
import { NO_STORE_HEADERS } from '../page-cache/page-headers.ts';
import { sendCompressed } from '../page-cache/send-compressed.ts';
import { bareDocument, escapeHtml } from '../render/document.ts';
import type { RenderParts } from '../render/page-html.ts';
import type { SharedStore } from '../shared-store/shared-store.ts';
import { uuidOf } from './message-key.ts';

export interface FormPageParts extends ResolveParts, RenderParts, ReaderParts {
  readonly formQueue: WorkQueue;
}

export interface FormParts extends FormPageParts {
  readonly outbox: Outbox;
  readonly diskHealth: Pick<DiskHealth, 'explains'>;
  readonly shared: SharedStore | null;
  readonly log: ProcessLogger;
}

export async function storeMessage(
  { outbox, diskHealth, config }: FormParts,
  res: Response,
  ...[message, key, earlierKey]: Parameters<Outbox['accept']>
): Promise<boolean> {
  const { log, trace } = scopeOf(res);
  try {
    trace.message = await outbox.accept(message, key, earlierKey);
    // Store a second message for the webhook, so that neither receiver waits for the other.
    const other = (of: string) => uuidOf(`webhook ${of}`);
    if (config.formWebhook)
      await outbox.accept(forWebhook(message), other(key), earlierKey && other(earlierKey));
    return true;
  } catch (error) {
    if (!(error instanceof MessageNotAcceptedError)) throw error;
    trace.cause = 'outbox';
    // Log only a warning for a known disk failure, because the failure itself is logged as an error.
    const level = (await diskHealth.explains(error)) ? 'warn' : 'error';
    log[level](
      { code: 'form-not-accepted', err: error, waiting: outbox.state.waiting },
      'forms: a message could not be stored in the outbox',
    );
    return false;
  }
}

export const LIMIT_WINDOW_MS = 10 * 60 * 1_000;

type Address = Pick<PageRequest, 'path' | 'search' | 'query'>;

export const STATUSES = { sent: 202, invalid: 422, limited: 429, failed: 503 } as const;
const HOME: Address = { path: '/', search: '', query: new URLSearchParams() };

/** Answers with the page. Over the rate limit, or after a failed render, answers with the form alone. */
export async function answerWithPage(
  parts: FormPageParts,
  req: Request,
  res: Response,
  address: Address,
  formState: FormState,
): Promise<void> {
  const reader = readerFor(parts, res);
  const language = languageOfCached(parts, reader);
  const consent = reader.cachedSettings()?.subscribeConsent ?? null;
  const sendForm = () => {
    setStatus(res, STATUSES[formState.status]);
    const form = Buffer.from(bareFormDocument(formState, language, consent));
    return sendCompressed(req, res, 'text/html; charset=utf-8', form);
  };
  // The error `page` says that the page has no such form.
  if (formState.status === 'limited' || formState.errors.page !== undefined) return sendForm();
  await pageOrBare(parts, res, () => sendFormPage(parts, req, res, address, formState), sendForm);
}

/** Sends a page. If too many pages are being rendered, or the render fails, sends a bare document. */
export async function pageOrBare(
  parts: FormPageParts,
  res: Response,
  sendPage: () => Promise<void>,
  sendBare: () => Promise<void>,
): Promise<void> {
  try {
    // Use `formQueue`, so that other visitors in `renderQueue` do not delay the page.
    await parts.formQueue.run(sendPage, scopeOf(res).signal);
  } catch (error) {
    const { labels } = languageOfCached(parts, readerFor(parts, res));
    if (reportError(res, error, labels)) await sendBare();
  }
}

async function sendFormPage(
  parts: FormPageParts,
  req: Request,
  res: Response,
  address: Address,
  formState: FormState,
): Promise<void> {
  const { trace } = scopeOf(res);
  trace.pageCache = 'bypass';
  const { request, resolved } = await resolveOrHome(parts, res, address, formState);
  if (resolved.kind === 'redirect')
    return answerRedirect(parts.manifest, res, resolved.redirect, { request }, NO_STORE_HEADERS);
  if (resolved.kind === 'not-found') throw resolved.error;
  res.set('Cache-Control', 'no-store');
  setStatus(res, STATUSES[formState.status]);
  await sendPage(parts, req, res, { ...resolved, request, status: STATUSES[formState.status] });
}

/**
 * Finds the page of the form. The home page, which has both forms of the site, replaces a moved or missing
 * page. A form that editors have built is on no other page, so its missing page is a 404.
 */
async function resolveOrHome(
  parts: FormPageParts,
  res: Response,
  address: Address,
  formState: FormState,
): Promise<{ request: PageRequest; resolved: ResolvedPage }> {
  const { log, signal, origin } = scopeOf(res);
  const reader = readerFor(parts, res);
  const resolve = async (at: Address) => {
    const request: PageRequest = { form: 'page', ...at, build: null, from: null, formState };
    const match = matchRoute(parts.routes, at.path);
    return { request, resolved: await resolvePage(parts, { request, match, reader, origin, log, signal }) };
  };
  try {
    const outcome = await resolve(address);
    if (outcome.resolved.kind === 'page') return outcome;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
  if (isPageForm(formState.values.form)) throw HttpError.notFound(address.path);
  return resolve(HOME);
}

export function setStatus(res: Response, status: number): void {
  res.status(status);
  if (status === 503) res.set('Retry-After', String(RETRY_AFTER_S));
}

/**
 * Renders the form with all entered values, without content, React and scripts.
 * @param consent the sentence that subscribers agree to; null without one.
 */
function bareFormDocument(
  { form, message, errors, values }: FormState,
  language: SiteLanguage,
  consent: RichText | null,
): string {
  const { labels } = language;
  const fields = form === 'contact' ? CONTACT_FIELDS : form === 'subscribe' ? SUBSCRIBE_FIELDS : [];
  const shown = [
    ...(errors.website === undefined ? [] : [['website', labels.text('trap')] as const]),
    ...fields.map(name => [name, labels.text(name)] as const),
    ...Object.keys({ ...values, ...errors }).flatMap(name => {
      const label = labelOf(name);
      return label === null ? [] : [[name, label] as const];
    }),
  ];
  const title = labels.text('messageNotSent');
  const controls = shown.flatMap(([name, label]) => {
    const error = errors[name] === undefined ? '' : `<br><strong>${escapeHtml(errors[name])}</strong>`;
    if (name === 'consent') {
      const sentence = consent && escapeHtml(sentenceText(consent));
      return sentence === null
        ? []
        : `<p><label><input type="checkbox" name="consent" value="${sentence}"> ${sentence}</label>${error}</p>`;
    }
    const value = escapeHtml(name === 'website' ? '' : (values[name] ?? ''));
    const control =
      name === 'message' || value.includes('\n')
        ? // Begin with a line break, which HTML parsers drop. Otherwise they would drop the first one of the
          // message.
          `<textarea name="${escapeHtml(name)}" rows="8" cols="40">\n${value}</textarea>`
        : `<input name="${escapeHtml(name)}" value="${value}" size="40">`;
    return `<p><label>${escapeHtml(label)}<br>${control}</label>${error}</p>`;
  });
  const hidden = ['form', 'page', ...(isPageForm(values.form) ? ['version'] : [])].map(
    name => `<input type="hidden" name="${name}" value="${escapeHtml(values[name] ?? '')}">`,
  );
  return bareDocument(
    language,
    title,
    `<h1>${escapeHtml(title)}</h1><p role="status">${escapeHtml(message ?? '')}</p><form method="post" action="/api/email/send">${hidden.join('')}${controls.join('')}<p><button>${escapeHtml(labels.text('send'))}</button></p></form>`,
  );
}
