import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { RETRY_AFTER_S, saidError } from '../errors.ts';
import { boundedBody } from '../http/bounded-body.ts';
import { limitPerAddress } from '../http/rate-limit.ts';
import { redirectToHttps } from '../http/redirect-to-https.ts';
import { scopeOf } from '../http/request-scope.ts';
import { type SubscribePageState, subscribeWords } from '../loaders/load-subscribe-pages.ts';
import { MessageNotAcceptedError } from '../outbox/outbox.ts';
import { reportError } from '../page/answer-error.ts';
import { answerRedirect } from '../page/answer-redirect.ts';
import { languageOfCached } from '../page/load-page.ts';
import type { PageRequest } from '../page/page-request.ts';
import { resolvePage } from '../page/resolve-page.ts';
import { sendPage } from '../page/send-page.ts';
import { NO_STORE_HEADERS } from '../page-cache/page-headers.ts';
import { sendCompressed } from '../page-cache/send-compressed.ts';
import { bareDocument, escapeHtml } from '../render/document.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import { createSharedLimit } from '../shared-state/shared-limit.ts';
import type { Site } from '../site.ts';
import type { FormPageSite } from './answer-with-page.ts';
import { LIMIT_WINDOW_MS } from './email-endpoint.ts';
import { refuseCrossSite } from './refuse-cross-site.ts';
import { createSubscribeLinks, type OpenedLink, type SubscribeStep } from './subscribe-links.ts';

type SubscribeSite = FormPageSite & Pick<Site, 'outbox' | 'diskHealth' | 'shared' | 'log'>;

/** A body larger than this is refused with 413. The token is in the address, so the body says nothing. */
const BODY_LIMIT = 4 * 1024;
/** Where a press that was accepted leads. A reload of that page sends nothing. */
const DONE = 'done';

/** The HTTP status of each state of the pages. */
const STATUSES: Readonly<Record<SubscribePageState, number>> = {
  ask: 200,
  done: 200,
  used: 200,
  expired: 410,
  wrong: 404,
  limited: 429,
  failed: 503,
};

/**
 * `/subscribe/confirm` and `/subscribe/leave`, the addresses in e-mails to subscribers. Mail scanners open all links of an e-mail, so GET shows a page
 * with one button, and only its POST counts. The POST is accepted when its message is safe in the outbox.
 *
 * The token in the address is worth something to others: no script runs on these pages, no address that they link to learns theirs, and the
 * log has paths without queries.
 */
export function subscribePages(site: SubscribeSite): Router {
  const { config } = site;
  const links = createSubscribeLinks(config);
  const limit = limitPerAddress(LIMIT_WINDOW_MS, config.formRateLimit, {
    handler: (req, res, next) => answer(req, res, 'limited').catch(next),
    ...(site.shared && { store: createSharedLimit(site.shared, 'subscribe') }),
  });
  const router = Router();
  for (const step of ['confirm', 'leave'] as const) {
    router
      .route(pathTo(`subscribe-${step}`, {}))
      .all(keepTokenPrivate)
      .get(redirectToHttps(site), async (req, res) => {
        await answer(req, res, await stateOf(step, req));
      })
      .post(
        // A form of a page without a referrer says `Origin: null` (Fetch, "serializing a request origin").
        refuseCrossSite(config.publicOrigin, { allowsNullOrigin: true }),
        boundedBody(BODY_LIMIT, express.raw({ type: () => true, limit: BODY_LIMIT, inflate: false })),
        limit,
        async (req, res) => {
          const state = await accept(step, req, res);
          if (state !== 'done') return answer(req, res, state);
          res
            .status(303)
            .location(`${pathTo(`subscribe-${step}`, {})}?${DONE}`)
            .end();
        },
      )
      .all((_req, res) => {
        res.set('Allow', 'GET, HEAD, POST');
        throw saidError('onlyForms', 405);
      });
  }
  return router;

  function opened(step: SubscribeStep, req: Request): OpenedLink {
    const { token } = req.query;
    return (typeof token === 'string' && links?.open(step, token)) || { state: 'wrong' };
  }

  /** @returns the address that a link was signed for; null on a page that does not depend on it. */
  function emailOf(req: Request, state: SubscribePageState): string | null {
    const link = state === 'done' ? null : opened(stepOf(req), req);
    return link?.state === 'valid' ? link.email : null;
  }

  async function stateOf(step: SubscribeStep, req: Request): Promise<SubscribePageState> {
    if (DONE in req.query) return 'done';
    const link = opened(step, req);
    if (link.state !== 'valid') return link.state;
    // A disk that cannot be read does not hide the button: the outbox knows a message of the same key by itself.
    return (await site.outbox.knows(link.key).catch(() => false)) ? 'used' : 'ask';
  }

  /** Puts the message of a press into the outbox. A second press of the same link is the same message. */
  async function accept(step: SubscribeStep, req: Request, res: Response): Promise<SubscribePageState> {
    const link = opened(step, req);
    if (link.state !== 'valid') return link.state;
    try {
      await site.outbox.accept({ form: `subscribe-${step}`, email: link.email }, link.key);
      return 'done';
    } catch (error) {
      if (!(error instanceof MessageNotAcceptedError)) throw error;
      const level = (await site.diskHealth.explains(error)) ? 'warn' : 'error';
      scopeOf(res).log[level](
        { err: error, waiting: site.outbox.state.waiting },
        'a message could not be accepted',
      );
      return 'failed';
    }
  }

  async function answer(req: Request, res: Response, state: SubscribePageState): Promise<void> {
    const { trace, signal } = scopeOf(res);
    trace.pageCache('bypass');
    if (state === 'limited') return sendBare(req, res, state);
    try {
      // `formQueue` and not `renderQueue`: the page can be rendered even while other visitors use all places, and waits for none.
      await site.formQueue.run(() => answerWithPage(req, res, state), signal);
    } catch (error) {
      const { labels } = languageOfCached(site, readerFor(site, res));
      if (reportError(res, error, labels)) await sendBare(req, res, state);
    }
  }

  async function answerWithPage(req: Request, res: Response, state: SubscribePageState): Promise<void> {
    const { log, signal, origin, trace } = scopeOf(res);
    // The page is loaded and rendered for the bare address: nothing in it may show the token.
    const email = emailOf(req, state);
    const query = new URLSearchParams({ state, ...(email !== null && { email }) });
    const request: PageRequest = { ...PAGE_REQUEST, path: req.path, query };
    const match = matchRoute(site.routes, req.path);
    const job = { request, match, origin, log, signal, reader: readerFor(site, res) };
    const resolved = await resolvePage(site, job);
    if (resolved.kind === 'redirect')
      return answerRedirect(site.manifest, res, resolved.redirect, { request }, NO_STORE_HEADERS);
    if (resolved.kind === 'not-found') throw resolved.error;
    trace.route(resolved.match.route.id);
    setStatus(res, state);
    const page = withoutScripts(resolved.page);
    await sendPage(site, req, res, { ...resolved, page, request, status: STATUSES[state], hydrate: false });
  }

  /** Sends the words and the button alone, which need neither content nor a render. */
  async function sendBare(req: Request, res: Response, state: SubscribePageState): Promise<void> {
    const language = languageOfCached(site, readerFor(site, res));
    const route = `subscribe-${stepOf(req)}` as const;
    const { title, text, button } = subscribeWords(language.labels, route, state);
    const email = emailOf(req, state);
    const address = email === null ? '' : `<p><strong dir="ltr">${escapeHtml(email)}</strong></p>`;
    const form = button && `<form method="post"><button>${escapeHtml(button)}</button></form>`;
    const main = `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${address}${form ?? ''}`;
    setStatus(res, state);
    const body = Buffer.from(bareDocument(language, title, main));
    await sendCompressed(req, res, 'text/html; charset=utf-8', body);
  }
}

function stepOf({ path }: Request): SubscribeStep {
  return path === pathTo('subscribe-leave', {}) ? 'leave' : 'confirm';
}

const PAGE_REQUEST = { form: 'page', search: '', build: null, from: null, formState: null } as const;

const keepTokenPrivate: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' });
  next();
};

function setStatus(res: Response, state: SubscribePageState): void {
  res.status(STATUSES[state]);
  if (state === 'failed') res.set('Retry-After', String(RETRY_AFTER_S));
}

/** @returns the page without the scripts that the settings name: they would see its address. */
function withoutScripts(page: LoadedPage): LoadedPage {
  const { settings, settingsVersion } = page;
  return {
    ...page,
    settings: settings && { ...settings, scripts: [] },
    settingsVersion: `${settingsVersion} without scripts`,
  };
}
