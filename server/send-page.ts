import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { deviceClass } from '../shared/device.ts';
import { publicConfig } from './config.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { DEVICE_HEADERS, deviceFromRequest } from './device-from-request.ts';
import { pageDocument } from './render/document.ts';
import type { LoadedPage } from './render/page-payload.ts';
import { scopeOf } from './request-scope.ts';
import type { Site } from './site.ts';

/**
 * Renders a page to the response. Rejects before anything is sent when the render fails, so that the error page can
 * still be the answer.
 */
export async function sendPage(
  site: Site,
  req: Request,
  res: Response,
  page: LoadedPage,
  status: number,
): Promise<void> {
  const { signal, log, origin, page: request } = scopeOf(res);
  const { payload, settings, jsonLd } = page;
  const readsDevice = request?.match?.route.readsDevice ?? false;
  if (readsDevice) for (const name of DEVICE_HEADERS) res.vary(name);
  const data = {
    payload,
    config: publicConfig(site.config),
    deviceClass: readsDevice ? deviceClass(deviceFromRequest(req.headers)) : null,
    formState: request?.formState ?? null,
  };
  const url = (request?.path ?? '/') + (request?.search ?? '');
  const stream = await site.renderPage(
    { payload, url, deviceClass: data.deviceClass, formState: data.formState },
    {
      signal,
      timeoutMs: site.renderTimeoutMs,
      onError: error => log.error({ err: error }, 'render error'),
    },
  );
  const customCss = settings?.customCss ?? [];
  const scripts = settings?.scripts ?? [];
  const document = pageDocument(site.manifest, {
    data,
    jsonLd,
    origin,
    siteName: payload.data.shell?.siteName ?? '',
    customCss,
    scripts,
    hydrate: req.method !== 'POST',
  });
  if (customCss.length > 0 || scripts.length > 0) {
    const policy = contentSecurityPolicy({
      mediaOrigins: site.config.mediaOrigins,
      styles: customCss,
      scripts,
    });
    res.set('Content-Security-Policy', policy);
  }
  res.status(status).type('html');
  res.write(document.before);
  const body = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: done => done(null, document.after),
  });
  stream.pipe(body);
  await pipeline(body, res).catch(error => {
    // The client has gone: there is nobody left to answer, and the log line says so already.
    if (!signal.aborted && !res.destroyed) throw error;
  });
}
