import type { Request, Response } from 'express';
import { DEVICE_HEADERS, deviceClassOf } from '../http/device-from-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import { pipePage, renderHtml } from '../render/page-html.ts';
import type { Site } from '../site.ts';

/**
 * Renders a page straight to the response: an error, or the answer to a form. Rejects before anything is sent when
 * the render fails, so that the error page can still be the answer.
 */
export async function sendPage(
  site: Site,
  req: Request,
  res: Response,
  page: LoadedPage,
  status: number,
): Promise<void> {
  const { signal, log, origin, page: request } = scopeOf(res);
  const readsDevice = request?.match?.route.readsDevice ?? false;
  if (readsDevice) for (const name of DEVICE_HEADERS) res.vary(name);
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
  res.status(status).type('html');
  // Whoever has gone takes nothing.
  if (!res.destroyed) pipePage(rendered, res);
}
