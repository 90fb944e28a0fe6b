import { setTimeout as delay } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { BYPASS_STATUS } from '../http/cache-status.ts';
import { deviceTiming } from '../http/device-from-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { wantsJson } from '../http/wants-json.ts';
import { hitHeaders, missHeaders } from '../page-cache/cache-status.ts';
import type { CachedPage } from '../page-cache/page-cache.ts';
import { sendStoredPage, storedEncodingFor } from '../page-cache/send-stored-page.ts';
import type { PageHead, StoredPage } from '../page-cache/stored-page.ts';
import { type ErrorSite, sendError } from './answer-error.ts';
import { answerRedirect } from './answer-redirect.ts';
import { askedPageOf, type PageLookup } from './find-page.ts';
import { type ProducingSite, producePage } from './produce-page.ts';

type AnsweringSite = ProducingSite & ErrorSite;

/** Answers with a page, as HTML or as its payload: the stored one, or one that is rendered now and stored for the next visitor. */
export function answerPage(site: AnsweringSite): RequestHandler {
  return async (req, res) => {
    const { lookup, request } = askedPageOf(res);
    try {
      await answerLookup(site, req, res, lookup);
    } catch (error) {
      await sendError(site, req, res, error, request);
    }
  };
}

async function answerLookup(
  site: AnsweringSite,
  req: Request,
  res: Response,
  lookup: PageLookup,
): Promise<void> {
  const { trace, signal } = scopeOf(res);
  const { key, renderRequest } = lookup;
  // The `Cache-Status` of redirects and errors, which are never stored. A page sets its own.
  res.set('Cache-Status', BYPASS_STATUS);
  trace.route(renderRequest.match?.route.id ?? null);
  const found = await revalidated(site, lookup, await site.pages.loadPage(key), res);
  if (found) {
    const outcome = found.ttlMs > 0 ? 'hit' : 'stale';
    site.metrics.pageServed(found.entry.generatedAt);
    return send(site, req, res, lookup, found.entry.value, outcome, hitHeaders(found));
  }
  const rendered = await site.pages.revalidate(key, rendering(site, lookup, res), signal);
  if ('redirect' in rendered) {
    // A redirect is logged without a route.
    trace.route(null);
    return answerRedirect(site.manifest, res, rendered.redirect, renderRequest.request.form);
  }
  if (rendered.kind === 'moved') throw new Error("The outcome 'moved' has no redirect");
  const page = rendered.entry.value;
  site.metrics.pageServed(rendered.entry.generatedAt);
  const stored = site.pages.get(key);
  const isStored = stored?.entry.value.etag === page.etag;
  return send(site, req, res, lookup, page, 'miss', missHeaders(isStored ? stored : null));
}

/** Revalidates a stale page: in the background, or before the answer where a short wait may bring a fresh one. */
async function revalidated(
  site: AnsweringSite,
  lookup: PageLookup,
  found: CachedPage | null,
  res: Response,
): Promise<CachedPage | null> {
  if (!found || found.ttlMs > 0) return found;
  const render = rendering(site, lookup, res);
  if (found.waitMs === 0) {
    site.pages.revalidateInBackground(lookup.key, render);
    return found;
  }
  const waited = new AbortController();
  const revalidation = site.pages.revalidate(lookup.key, render).then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([revalidation, delay(found.waitMs, false, { signal: waited.signal })]);
  waited.abort();
  // The address may be a redirect now. Redirects are not stored, so `get` returns null and the address is resolved as a miss.
  return isDone ? site.pages.get(lookup.key) : found;
}

function rendering(site: AnsweringSite, { renderRequest }: PageLookup, res: Response) {
  const { log, trace } = scopeOf(res);
  const onEvent = ({ kind }: ContentReadEvent) => {
    trace.contentRead(kind);
    site.metrics.contentEvent(kind);
  };
  return (signal: AbortSignal) => producePage(site, { ...renderRequest, log, onEvent }, signal);
}

async function send(
  site: AnsweringSite,
  req: Request,
  res: Response,
  { key, renderRequest: { request } }: PageLookup,
  page: StoredPage,
  outcome: 'hit' | 'stale' | 'miss',
  extra: readonly string[],
): Promise<void> {
  const { trace, startedAt } = scopeOf(res);
  trace.pageCache(outcome);
  if (site.config.devReload) res.set('Server-Timing', trace.serverTiming(startedAt));
  if (page.status === 404 && request.form === 'page') {
    if (wantsJson(req)) throw HttpError.notFound(request.path);
    // The client's `Accept` decides between a page and JSON.
    res.vary('Accept');
  }
  const head = withMergedVary(page.head, res);
  const fields = [...extra, ...deviceTiming(req.headers, page.head.fields)];
  if (sendStoredPage(req, res, page, fields, head) !== null) return;
  const encoding = storedEncodingFor(req.headers['accept-encoding']);
  const complete = await site.pages.withEncoding(key, page, encoding);
  // The client has disconnected: skip the write.
  if (!res.destroyed) sendStoredPage(req, res, complete, fields, head);
}

/** Adds the page's `Vary` to the `Vary` that the response has already. */
function withMergedVary(
  { fields, contentAt }: PageHead,
  res: Response,
): Pick<PageHead, 'fields' | 'contentAt'> {
  const at = fields.findIndex((name, index) => index % 2 === 0 && name === 'Vary');
  if (at < 0) return { fields, contentAt };
  res.vary(fields[at + 1] ?? '');
  return { fields: fields.toSpliced(at, 2), contentAt: contentAt - 2 };
}
