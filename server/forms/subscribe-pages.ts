import express, { type Request, type RequestHandler, type Response } from 'express';
import type { LRUCache } from 'lru-cache';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { siteRoutes } from '../../site/routes.ts';
import { readerFor } from '../content/reading/reader-for-request.ts';
import { boundedBody } from '../http/limits/bounded-body.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { formerSecretNote } from '../http/security/secret-uses.ts';
import { type SubscribePageState, subscribeWords } from '../loading/subscribe-words.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { answerRedirect } from '../page/answer-redirect.ts';
import type { PageRequest } from '../page/page-request.ts';
import { languageOfCached } from '../page/resolve/load-page.ts';
import { resolvePage } from '../page/resolve/resolve-page.ts';
import { sendPageBytes } from '../page/send-page.ts';
import { NO_STORE_HEADERS } from '../page-cache/page-headers.ts';
import { sendCompressed } from '../page-cache/send-compressed.ts';
import { bareDocument, escapeHtml } from '../render/document.ts';
import type { PageBytes } from '../render/error-pages.ts';
import type { LoadedPage } from '../render/html-request.ts';
import { renderBytes } from '../render/page-html.ts';
import { limitPerAddress } from '../shared-store/rate-limit.ts';
import { type FormParts, LIMIT_WINDOW_MS, pageOrBare, setStatus, storeMessage } from './answer-with-page.ts';
import { refuseCrossSite } from './refuse-cross-site.ts';
import { createSubscribeLinks, type OpenedLink, type SubscribeStep } from './subscribe-links.ts';

/** The largest accepted body, in bytes. It is small, because the token is in the address. */
const BODY_LIMIT = 4 * 1024;
/** The state in the address to which an accepted POST request redirects, so that a reload sends nothing. */
const DONE = 'done';

/** Limit for rendered pages: there is one for each combination of path, state and origin. */
const MAX_PAGES = 20;
const PAGES_TTL_MS = 1_000;

interface SubscribeParts extends FormParts {
  /** Rendered pages without an e-mail address, so that not every forged token causes a render. */
  readonly pages: LRUCache<string, PageBytes>;
}

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
 * `/subscribe/confirm` and `/subscribe/leave`. Mail scanners open all links, so GET only shows a button, and
 * POST does the work. The token in the address must stay secret. So the pages run no scripts and send no
 * referrer, and the log omits queries.
 */
export function subscribePages(formParts: FormParts) {
  const parts: SubscribeParts = { ...formParts, pages: boundedMap(MAX_PAGES, { ttl: PAGES_TTL_MS }) };
  const { config, shared, metrics } = parts;
  const noteFormer = formerSecretNote(parts, 'SUBSCRIBE_SECRET_OLD');
  const links = createSubscribeLinks(config, Date.now, noteFormer);
  const linkOf = (req: Request): OpenedLink => {
    const { token } = req.query;
    const link = typeof token === 'string' ? links?.open(stepOf(req), token) : undefined;
    const use = link?.state === 'wrong' ? 'refused' : 'used';
    if (link) metrics.count('site_secret_uses_total', 'SUBSCRIBE_SECRET', use);
    return link ?? { state: 'wrong' };
  };
  const { formRateLimit } = config;
  const limit = limitPerAddress('subscribe', LIMIT_WINDOW_MS, formRateLimit, shared, (req, res, next) => {
    count(parts, req, 'limited');
    answer(parts, req, res, { state: 'limited', link: linkOf(req) }).catch(next);
  });
  const show: RequestHandler = async (req, res) => {
    const link = linkOf(req);
    const state = DONE in req.query ? 'done' : await stateOf(parts, link);
    await answer(parts, req, res, { state, link });
  };
  const press: RequestHandler = async (req, res) => {
    const link = linkOf(req);
    const state = await accept(parts, link, req, res);
    count(parts, req, state);
    if (state !== 'done') return answer(parts, req, res, { state, link });
    res.status(303).location(`${req.path}?${DONE}`).end();
  };
  return {
    show,
    press: [
      // Allow `Origin: null`, because a page without a referrer sends it (Fetch, "serializing a request
      // origin").
      refuseCrossSite(config.publicOrigin, { allowsNullOrigin: true }),
      boundedBody(BODY_LIMIT, express.raw({ type: () => true, limit: BODY_LIMIT, inflate: false })),
      limit,
      press,
    ],
  };
}

interface Shown {
  readonly state: SubscribePageState;
  readonly link: OpenedLink;
}

function emailOf({ state, link }: Shown): string | null {
  return state !== 'done' && link.state === 'valid' ? link.email : null;
}

async function stateOf(parts: FormParts, link: OpenedLink): Promise<SubscribePageState> {
  if (link.state !== 'valid') return link.state;
  // Show the button if the disk cannot be read: the outbox recognises repeated messages.
  return (await parts.outbox.knows(link.key).catch(() => false)) ? 'used' : 'ask';
}

function count({ metrics }: FormParts, req: Request, state: SubscribePageState): void {
  const outcome = state === 'done' ? 'sent' : state === 'limited' || state === 'failed' ? state : 'invalid';
  metrics.count('site_forms_total', stepOf(req), outcome);
}

/** Accepts a press of the button. A second press has the same key, so it is the same message. */
async function accept(
  parts: FormParts,
  link: OpenedLink,
  req: Request,
  res: Response,
): Promise<SubscribePageState> {
  if (link.state !== 'valid') return link.state;
  const message = { form: `subscribe-${stepOf(req)}`, email: link.email };
  return (await storeMessage(parts, res, message, link.key)) ? 'done' : 'failed';
}

async function answer(parts: SubscribeParts, req: Request, res: Response, shown: Shown): Promise<void> {
  scopeOf(res).trace.pageCache = 'bypass';
  const bare = () => sendBare(parts, req, res, shown);
  if (shown.state === 'limited') return bare();
  const stored = emailOf(shown) === null ? parts.pages.get(keyOf(req, res, shown)) : undefined;
  if (stored) return sendShown(req, res, shown, stored);
  await pageOrBare(parts, res, () => answerWithPage(parts, req, res, shown), bare);
}

async function answerWithPage(
  parts: SubscribeParts,
  req: Request,
  res: Response,
  shown: Shown,
): Promise<void> {
  const { log, signal, origin } = scopeOf(res);
  const { state } = shown;
  // Render the page for its path without the query, so that nothing in it contains the token.
  const email = emailOf(shown);
  const query = new URLSearchParams({ state, ...(email !== null && { email }) });
  const request: PageRequest = { ...PAGE_REQUEST, path: req.path, query };
  const match = matchRoute(parts.routes, req.path);
  const job = { request, match, origin, log, signal, reader: readerFor(parts, res) };
  const resolved = await resolvePage(parts, job);
  if (resolved.kind === 'redirect')
    return answerRedirect(parts.manifest, res, resolved.redirect, { request }, NO_STORE_HEADERS);
  if (resolved.kind === 'not-found') throw resolved.error;
  const page = withoutScripts(resolved.page);
  await parts.renderTick();
  const html = { page, request, origin, deviceClass: null, hydrate: false };
  const bytes = await renderBytes(parts, html, signal, log);
  if (email === null) parts.pages.set(keyOf(req, res, shown), bytes);
  await sendShown(req, res, shown, bytes);
}

function keyOf({ path }: Request, res: Response, { state }: Shown): string {
  return JSON.stringify([path, state, scopeOf(res).origin]);
}

function sendShown(req: Request, res: Response, { state }: Shown, bytes: PageBytes): Promise<void> {
  scopeOf(res).trace.route = routeOf(req);
  setStatus(res, STATUSES[state]);
  return sendPageBytes(req, res, STATUSES[state], bytes);
}

async function sendBare(parts: SubscribeParts, req: Request, res: Response, shown: Shown): Promise<void> {
  const language = languageOfCached(parts, readerFor(parts, res));
  const { title, text, button } = subscribeWords(language.labels, routeOf(req), shown.state);
  const email = emailOf(shown);
  const address = email === null ? '' : `<p><strong dir="ltr">${escapeHtml(email)}</strong></p>`;
  const form = button && `<form method="post"><button>${escapeHtml(button)}</button></form>`;
  const main = `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${address}${form ?? ''}`;
  setStatus(res, STATUSES[shown.state]);
  const body = Buffer.from(bareDocument(language, title, main));
  await sendCompressed(req, res, 'text/html; charset=utf-8', body);
}

export const SUBSCRIBE_PATHS = [pathTo(siteRoutes.confirmation, {}), pathTo(siteRoutes.leaving, {})];

const routeOf = (req: Request) => `subscribe-${stepOf(req)}` as const;

function stepOf({ path }: Request): SubscribeStep {
  return path === pathTo(siteRoutes.leaving, {}) ? 'leave' : 'confirm';
}

const PAGE_REQUEST = { form: 'page', search: '', build: null, from: null, formState: null } as const;

/** Hides the token in the address from caches, other sites and search engines. */
export const keepTokenPrivate: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' });
  next();
};

/** Removes third-party scripts of the settings, because they could read the token in the address. */
function withoutScripts(page: LoadedPage): LoadedPage {
  const { settings, settingsVersion } = page;
  return {
    ...page,
    settings: settings && { ...settings, scripts: [] },
    settingsVersion: `${settingsVersion} without scripts`,
  };
}
