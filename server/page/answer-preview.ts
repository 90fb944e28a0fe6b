import type { Request, Response } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { allowFrames } from '../http/content-security-policy.ts';
import type { PreviewStatus } from '../http/preview-cookie.ts';
import { scopeOf } from '../http/request-scope.ts';
import { wantsJson } from '../http/wants-json.ts';
import { sendCompressedJson } from '../page-cache/send-compressed.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import type { Site } from '../site.ts';
import { type ErrorSite, sendError } from './answer-error.ts';
import { answerRedirect } from './answer-redirect.ts';
import type { PageLookup } from './find-page.ts';
import { type NotFoundSite, notFoundPage } from './load-page.ts';
import type { Preview } from './preview.ts';
import { previewSite } from './preview-site.ts';
import { type ResolvingSite, resolvePage } from './resolve-page.ts';
import { sendPage } from './send-page.ts';

export type PreviewingSite = ErrorSite & ResolvingSite & NotFoundSite;

const NO_STORE = 'private, no-store';

/** Answers with a page, or its payload, as editors see it. Nothing of the answer is stored, here or anywhere else. */
export async function answerPreview(
  publicSite: PreviewingSite,
  preview: Preview,
  status: PreviewStatus,
  req: Request,
  res: Response,
  lookup: PageLookup,
): Promise<void> {
  const { signal } = scopeOf(res);
  const site = previewSite(publicSite, preview, status, signal);
  setPreviewHeaders(site, res);
  try {
    await site.renderQueue.run(() => answer(site, req, res, lookup), signal);
  } catch (error) {
    await sendError(site, req, res, error, lookup.renderRequest.request);
  }
}

/** Sets headers that keep an answer from caches and search engines, and allow the CMS to show it in a frame. */
function setPreviewHeaders({ config }: Pick<Site, 'config'>, res: Response): void {
  res.set({ 'Cache-Control': NO_STORE, 'X-Robots-Tag': 'noindex' });
  allowFrames(res, config.preview?.frameOrigins ?? []);
}

async function answer(site: PreviewingSite, req: Request, res: Response, lookup: PageLookup): Promise<void> {
  const { trace, signal, log, origin } = scopeOf(res);
  const { request, match } = lookup.renderRequest;
  trace.route(match?.route.id ?? null);
  trace.pageCache('bypass');
  const reader = readerFor(site, res);
  const resolved = await resolvePage(site, { request, match, reader, origin, log, signal });
  if (resolved.kind === 'redirect')
    return answerRedirect(site.manifest, res, resolved.redirect, lookup.renderRequest, [
      ['Cache-Control', NO_STORE],
    ]);
  const isPage = resolved.kind === 'page';
  if (!isPage && wantsJson(req) && request.form === 'page') throw HttpError.notFound(request.path);
  const page = unlisted(isPage ? resolved.page : notFoundPage(site, { reader, origin, request }, resolved));
  if (request.form === 'payload') return sendCompressedJson(req, res, page.payload);
  const status = isPage ? 200 : resolved.error.statusCode;
  await sendPage(site, req, res, { page, request, match, status });
}

/**
 * @returns a page that search engines must not list, without data for them and without a picture for shared links: the site would draw what is not
 *   published.
 */
function unlisted(page: LoadedPage): LoadedPage {
  const { payload } = page;
  return {
    ...page,
    share: null,
    jsonLd: [],
    payload: { ...payload, head: { ...payload.head, robots: 'noindex' } },
  };
}
