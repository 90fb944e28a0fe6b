import type { Request, Response } from 'express';
import { DEVICE_HEADERS, deviceClassOf } from '../http/request/device-from-request.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { sendCompressed } from '../page-cache/send-compressed.ts';
import type { PageBytes } from '../render/error-pages.ts';
import type { LoadedPage } from '../render/html-request.ts';
import { type RenderParts, renderBytes } from '../render/page-html.ts';
import type { PageMatch, PageRequest } from './page-request.ts';

interface SentPage {
  page: LoadedPage;
  request: PageRequest;
  match: PageMatch | null;
  status: number;
}

/** Rejects before anything is sent, so that the error page can still be sent. */
export async function sendPage(
  parts: RenderParts,
  req: Request,
  res: Response,
  { page, request, match, status }: SentPage,
): Promise<void> {
  const { signal, log, origin } = scopeOf(res);
  const readsDevice = match?.route.readsDevice ?? false;
  if (readsDevice) for (const name of DEVICE_HEADERS) res.vary(name);
  await parts.renderTick();
  const deviceClass = readsDevice ? deviceClassOf(req.headers) : null;
  const html = { page, request, origin, deviceClass, hydrate: req.method !== 'POST' };
  await sendPageBytes(req, res, status, await renderBytes(parts, html, signal, log));
}

export async function sendPageBytes(
  req: Request,
  res: Response,
  status: number,
  { body, policy, preload }: PageBytes,
): Promise<void> {
  res.set('Link', preload);
  if (policy) res.set('Content-Security-Policy', policy);
  res.status(status);
  await sendCompressed(req, res, 'text/html; charset=utf-8', body);
}
