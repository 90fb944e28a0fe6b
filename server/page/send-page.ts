import type { Request, Response } from 'express';
import { DEVICE_HEADERS, deviceClassOf } from '../http/device-from-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { sendCompressed } from '../page-cache/send-compressed.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import { collectPage, type RenderingSite, renderHtml } from '../render/page-html.ts';
import type { Site } from '../site.ts';
import type { PageMatch, PageRequest } from './page-request.ts';

export interface SentPage {
  page: LoadedPage;
  /** Null for an error outside of any page. */
  request: PageRequest | null;
  match: PageMatch | null;
  status: number;
}

/**
 * Renders and sends a page that is not stored: an error page, or the answer to a form post. When the render fails, the promise rejects
 * before anything is sent, so that the error page can still be the answer.
 */
export async function sendPage(
  site: RenderingSite & Pick<Site, 'renderTurn'>,
  req: Request,
  res: Response,
  { page, request, match, status }: SentPage,
): Promise<void> {
  const { signal, log, origin } = scopeOf(res);
  const readsDevice = match?.route.readsDevice ?? false;
  if (readsDevice) for (const name of DEVICE_HEADERS) res.vary(name);
  await site.renderTurn();
  const rendered = await renderHtml(
    site,
    {
      page,
      request,
      origin,
      deviceClass: readsDevice ? deviceClassOf(req.headers) : null,
      hydrate: req.method !== 'POST',
    },
    signal,
    log,
  );
  res.set('Link', rendered.preload);
  if (rendered.policy) res.set('Content-Security-Policy', rendered.policy);
  res.status(status);
  await sendCompressed(req, res, 'text/html; charset=utf-8', collectPage(rendered));
}
