import { setTimeout as delay } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { FormState } from '../../shared/forms/form-state.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { RETRY_AFTER_S } from '../errors.ts';
import { pageStatusOf } from '../forms/page-status.ts';
import { BYPASS_STATUS } from '../http/cache-status.ts';
import { deviceTiming } from '../http/device-from-request.ts';
import { type PageCacheOutcome, pageOf, type RequestScope, scopeOf } from '../http/request-scope.ts';
import { wantsJson } from '../http/wants-json.ts';
import { hitHeaders, missHeaders } from '../page-cache/cache-status.ts';
import type { CachedPage } from '../page-cache/page-cache.ts';
import { BROWSER_CACHING } from '../page-cache/page-headers.ts';
import { canSend, sendStoredPage, storedEncodingFor } from '../page-cache/send-stored-page.ts';
import type { PageHead, StoredPage } from '../page-cache/stored-page.ts';
import type { Site } from '../site.ts';
import { answerRedirect } from './answer-redirect.ts';
import { lookupOf, type PageLookup } from './find-page.ts';
import type { PageJob, PageOutcome } from './page-job.ts';
import { producePage } from './produce-page.ts';
import { resolvePage } from './resolve-page.ts';
import { sendPage } from './send-page.ts';

/** Answers with a page, as HTML or as its payload: the stored one, or one made now and stored for the next visitor. */
export function answerPage(site: Site): RequestHandler {
  return async (req, res) => {
    const request = pageOf(res);
    // For what has none of its own: redirects and errors.
    res.set('Cache-Status', BYPASS_STATUS);
    // What is one visitor's own is made for that visitor.
    const { formState } = request;
    if (formState !== null) {
      // Somebody has typed all that, and is not to wait behind those who only look.
      const slots = req.method === 'POST' ? site.formSlots : site.renderSlots;
      return slots.run(() => answerUnstored(site, req, res, formState));
    }
    const lookup = lookupOf(site, request, scopeOf(res).origin, req.headers);
    scopeOf(res).route = lookup.route;
    const found = await renewed(site, lookup, await site.pages.loadPage(lookup.key), res);
    if (found)
      return send(
        site,
        req,
        res,
        lookup.key,
        found.entry.value,
        found.ttlMs > 0 ? 'hit' : 'stale',
        hitHeaders(found),
      );
    const made = await site.pages.revalidate(lookup.key, making(site, lookup, res), scopeOf(res).signal);
    if ('redirect' in made) {
      // It is no route's answer: it stands before them.
      scopeOf(res).route = null;
      return answerRedirect(site, res, made.redirect);
    }
    if (made.kind === 'moved') throw new Error('A page has moved without a target');
    const page = made.entry.value;
    const stored = site.pages.get(lookup.key);
    const isStored = stored?.entry.value.etag === page.etag;
    return send(site, req, res, lookup.key, page, 'miss', missHeaders(isStored ? stored : null));
  };
}

/** A stale page is renewed: behind the answer, or before it where a short wait may bring a fresh one. */
async function renewed(
  site: Site,
  lookup: PageLookup,
  found: CachedPage | null,
  res: Response,
): Promise<CachedPage | null> {
  if (!found || found.ttlMs > 0) return found;
  const make = making(site, lookup, res);
  if (found.waitMs === 0) {
    site.pages.revalidateInBackground(lookup.key, make);
    return found;
  }
  const waited = new AbortController();
  const renewal = site.pages.revalidate(lookup.key, make).then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([renewal, delay(found.waitMs, false, { signal: waited.signal })]);
  waited.abort();
  // What was made may be a redirect or a page on another shelf: then there is none any more, and it is made in the open.
  return isDone ? site.pages.get(lookup.key) : found;
}

function making(site: Site, { order }: PageLookup, res: Response) {
  const { log, cacheEvents } = scopeOf(res);
  const onEvent = (event: ContentReadEvent) => {
    cacheEvents[event.kind] = (cacheEvents[event.kind] ?? 0) + 1;
    site.metrics.contentEvent(event.kind);
  };
  return (signal: AbortSignal) => producePage(site, { ...order, log, onEvent }, signal);
}

async function send(
  site: Site,
  req: Request,
  res: Response,
  key: string,
  page: StoredPage,
  outcome: PageCacheOutcome,
  extra: readonly string[],
): Promise<void> {
  const request = pageOf(res);
  const scope = scopeOf(res);
  scope.pageCache = outcome;
  if (scope.isDevelopment) res.set('Server-Timing', serverTiming(scope));
  if (page.status === 404 && request.form === 'page') {
    if (wantsJson(req)) throw HttpError.notFound(request.path);
    // Whether it is a page or JSON depends on what the client takes.
    res.vary('Accept');
  }
  const sendable = canSend(req, page)
    ? page
    : await site.pages.withEncoding(key, page, storedEncodingFor(req.headers['accept-encoding']));
  // The client has disconnected: skip the write.
  if (res.destroyed) return;
  const timing = deviceTiming(req.headers, page.head.fields);
  sendStoredPage(req, res, sendable, [...extra, ...timing], withMergedVary(page.head, res));
}

/** For the browser's own tools: what the two caches did, and the time until now, in ms. */
function serverTiming({ pageCache, cacheEvents, startedAt }: RequestScope): string {
  const content = Object.entries(cacheEvents).map(([kind, times]) => `${kind} ${times}`);
  const total = (performance.now() - startedAt).toFixed(1);
  return `page;desc="${pageCache}", content;desc="${content.join(', ')}", total;dur=${total}`;
}

/** `Vary` may be on the response already: the page's is added to it. */
function withMergedVary(
  { fields, contentAt }: PageHead,
  res: Response,
): Pick<PageHead, 'fields' | 'contentAt'> {
  const at = fields.findIndex((name, index) => index % 2 === 0 && name === 'Vary');
  if (at < 0) return { fields, contentAt };
  res.vary(fields[at + 1] ?? '');
  return { fields: fields.toSpliced(at, 2), contentAt: contentAt - 2 };
}

/** A page that is the answer to a form is piped straight to the response. */
async function answerUnstored(site: Site, req: Request, res: Response, formState: FormState): Promise<void> {
  const { log, signal, origin } = scopeOf(res);
  const request = pageOf(res);
  scopeOf(res).pageCache = 'bypass';
  const job = { request, reader: readerFor(site, res), origin, log, signal };
  const outcome = await (req.method === 'POST' ? resolveForForm(site, job) : resolvePage(site, job));
  if (outcome.kind === 'redirect') return answerRedirect(site, res, outcome.redirect);
  const status = pageStatusOf(formState);
  // The answer to a form post holds what somebody typed.
  res.set('Cache-Control', req.method === 'POST' ? 'no-store' : BROWSER_CACHING);
  if (status === 503) res.set('Retry-After', String(RETRY_AFTER_S));
  if (request.form === 'payload') res.json(outcome.page.payload);
  else await sendPage(site, req, res, outcome.page, status);
}

/**
 * The page that a form stood on may have moved, or be none (the subscribe form stands on error pages, too). What was typed
 * must not be lost with it: then the home page shows it, which has both forms.
 */
async function resolveForForm(site: Site, job: PageJob): Promise<PageOutcome> {
  try {
    const outcome = await resolvePage(site, job);
    if (outcome.kind === 'page') return outcome;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
  Object.assign(job.request, { path: '/', search: '', query: new URLSearchParams(), match: null });
  return resolvePage(site, job);
}
