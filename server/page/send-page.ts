import type { Request, Response } from 'express';
import { DEVICE_HEADERS, deviceClassOf } from '../http/request/device-from-request.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { sendCompressed } from '../page-cache/send-compressed.ts';
import type { PageBytes } from '../render/error-pages.ts';
import type { LoadedPage } from '../render/html-request.ts';
import type { PageMatch, PageRequest } from './page-request.ts';
import { renderBytes, type SendParts } from './produce/render-bytes.ts';

interface SentPage {
  page: LoadedPage;
  request: PageRequest;
  match: PageMatch | null;
  status: number;
  /** Whether scripts hydrate the page; by default for a GET only. */
  hydrate?: boolean;
}

/** Rejects before anything is sent, so that the error page can still be the answer. */
export async function sendPage(
  parts: SendParts,
  req: Request,
  res: Response,
  { page, request, match, status, hydrate = req.method !== 'POST' }: SentPage,
): Promise<void> {
  const { signal, log, origin } = scopeOf(res);
  const readsDevice = match?.route.readsDevice ?? false;
  if (readsDevice) for (const name of DEVICE_HEADERS) res.vary(name);
  await parts.renderTick();
  const deviceClass = readsDevice ? deviceClassOf(req.headers) : null;
  const html = { page, request, origin, deviceClass, hydrate };
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
