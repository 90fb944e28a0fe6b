import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { deviceTiming } from '../http/device-from-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { wantsJson } from '../http/wants-json.ts';
import { type AnsweringPage, findOrGenerate, sendInEncoding } from '../page-cache/answer-stored.ts';
import type { Site } from '../site.ts';
import { type ErrorSite, sendError } from './answer-error.ts';
import { answerPreview } from './answer-preview.ts';
import { answerRedirect } from './answer-redirect.ts';
import { askedPageOf, type PageLookup } from './find-page.ts';
import { isOfOtherBuild } from './page-request.ts';
import { isEverOnDisk, type ProducingSite, producePage, revalidatePage } from './produce-page.ts';

type AnsweringSite = ProducingSite & ErrorSite & Pick<Site, 'preview' | 'searchPages'>;

/** Answers with a page, as HTML or as its payload: the stored one, or one that is rendered now and stored for the next visitor. */
export function answerPage(site: AnsweringSite): RequestHandler {
  return async (req, res) => {
    const { lookup } = askedPageOf(res);
    const { preview } = site;
    const previewed = preview?.cookie.read(req.headers.cookie) ?? null;
    if (preview && previewed) return answerPreview(site, preview, previewed, req, res, lookup);
    try {
      const { answersQueries } = lookup.renderRequest.match?.route ?? {};
      await answerLookup(answersQueries ? { ...site, pages: site.searchPages } : site, req, res, lookup);
    } catch (error) {
      await sendError(site, req, res, error, lookup.renderRequest.request);
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
  res.set('Cache-Status', site.pages.cacheStatus.bypass);
  trace.route(renderRequest.match?.route.id ?? null);
  const answer = await findOrGenerate(
    site.pages,
    key,
    generators(site, lookup, res),
    signal,
    isEverOnDisk(renderRequest),
  );
  if (answer.kind === 'answer') {
    site.metrics.pageServed(answer.generatedAt);
    return send(site, req, res, lookup, answer);
  }
  // A redirect is logged without a route.
  trace.route(null);
  if (!('redirect' in answer)) throw new Error("The outcome 'moved' has no redirect");
  return answerRedirect(site.manifest, res, answer.redirect, renderRequest, answer.caching);
}

function generators(site: AnsweringSite, lookup: PageLookup, res: Response) {
  const { log, trace } = scopeOf(res);
  const onEvent = ({ kind }: ContentReadEvent) => {
    trace.contentRead(kind);
    site.metrics.contentEvent(kind);
  };
  const renderRequest = { ...lookup.renderRequest, log, onEvent };
  return {
    generate: (signal: AbortSignal) => producePage(site, renderRequest, signal),
    revalidate: (signal: AbortSignal) => revalidatePage(site, renderRequest, signal),
  };
}

async function send(
  site: AnsweringSite,
  req: Request,
  res: Response,
  { key, renderRequest: { request } }: PageLookup,
  { page, outcome, extra, caching }: AnsweringPage,
): Promise<void> {
  const { trace, startedAt } = scopeOf(res);
  trace.pageCache(outcome);
  if (site.config.devReload) res.set('Server-Timing', trace.serverTiming(startedAt));
  if (page.status !== 200 && wantsJson(req))
    throw page.status === 410 ? HttpError.gone(request.path) : HttpError.notFound(request.path);
  const timing = deviceTiming(req.headers, page.head.plain);
  const allowed = isOfOtherBuild(request, site.manifest.id) ? 'none' : caching;
  await sendInEncoding(site.pages, key, req, res, page, extra + timing, allowed);
}
