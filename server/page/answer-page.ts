import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { ContentReadEvent } from '../content/reading/read-values.ts';
import { deviceTiming } from '../http/request/device-from-request.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { wantsJson } from '../http/request/wants-json.ts';
import type { CachedPage, PageCache } from '../page-cache/page-cache.ts';
import { type ErrorParts, sendError } from './answer-error.ts';
import { answerRedirect, type RedirectUses } from './answer-redirect.ts';
import { type AnsweringPage, sendInEncoding, storedOrGenerated } from './answer-stored.ts';
import { isOfOtherBuild, type PageLookup } from './page-request.ts';
import { answerPreview, type LinkNotes } from './preview/answer-preview.ts';
import type { Preview } from './preview/preview.ts';
import { isEverOnDisk, type ProduceParts, producePage, revalidatePage } from './produce/produce-page.ts';

interface AnswerParts extends ProduceParts, ErrorParts {
  readonly content: ProduceParts['content'];
  readonly preview: Preview | null;
  readonly links: LinkNotes;
  readonly redirectUses: Pick<RedirectUses, 'note'>;
  /** Pages of searches, in a separate cache, because visitors may search for anything. */
  readonly searchPages: PageCache;
}

export function answerPage(parts: AnswerParts): RequestHandler {
  return async (req, res) => {
    const { lookup, found } = res.locals.asked;
    const { preview } = parts;
    const previewed = preview?.cookie.read(req.headers.cookie) ?? null;
    if (preview && previewed) return answerPreview(parts, preview, previewed, req, res, lookup);
    try {
      const { answersQueries } = lookup.match?.route ?? {};
      const own = answersQueries ? { ...parts, pages: parts.searchPages } : parts;
      await answerLookup(own, req, res, lookup, found ?? (await storedPage(own.pages, lookup)));
    } catch (error) {
      await sendError(parts, req, res, error, lookup.request);
    }
  };
}

/** Skip the disk for an address without a route, whose page is never on disk. */
async function storedPage(pages: PageCache, lookup: PageLookup): Promise<CachedPage | null> {
  return isEverOnDisk(lookup) ? pages.loadPage(lookup.key) : pages.get(lookup.key);
}

async function answerLookup(
  parts: AnswerParts,
  req: Request,
  res: Response,
  lookup: PageLookup,
  stored: CachedPage | null,
): Promise<void> {
  const { trace, signal } = scopeOf(res);
  // Set a default for redirects and errors, which are never stored. Pages replace it.
  res.set('Cache-Status', parts.pages.cacheStatus.bypass);
  trace.route = lookup.match?.route.id ?? null;
  const answer = await storedOrGenerated(
    parts.pages,
    lookup.key,
    stored,
    generators(parts, lookup, res),
    signal,
  );
  if (answer.kind === 'answer') {
    parts.metrics.pageServed(answer.generatedAt);
    return send(parts, req, res, lookup, answer);
  }
  trace.route = null;
  if (!('redirect' in answer)) throw new Error("The outcome 'moved' has no redirect");
  parts.redirectUses.note(answer.rows);
  return answerRedirect(parts.manifest, res, answer.redirect, lookup, answer.caching);
}

function generators(parts: AnswerParts, lookup: PageLookup, res: Response) {
  const { log, trace } = scopeOf(res);
  const onEvent = (event: ContentReadEvent) => {
    trace.contentRead(event);
    parts.metrics.count('site_content_reads_total', event);
  };
  const renderRequest = { ...lookup, log, onEvent };
  return {
    generate: (signal: AbortSignal) => producePage(parts, renderRequest, signal),
    revalidate: (signal: AbortSignal) => revalidatePage(parts, renderRequest, signal),
  };
}

async function send(
  parts: AnswerParts,
  req: Request,
  res: Response,
  { key, request }: PageLookup,
  { page, outcome, extra, caching }: AnsweringPage,
): Promise<void> {
  const { trace, startedAt } = scopeOf(res);
  trace.pageCache = outcome;
  if (parts.config.devReload) res.set('Server-Timing', trace.serverTiming(startedAt));
  if (page.status !== 200 && wantsJson(req))
    throw page.status === 410 ? HttpError.gone(request.path) : HttpError.notFound(request.path);
  const timing = deviceTiming(req.headers, page.head.plain);
  const allowed = isOfOtherBuild(request, parts.manifest.id) ? 'none' : caching;
  await sendInEncoding(parts.pages, key, req, res, page, extra + timing, allowed);
}
