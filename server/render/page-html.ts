import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PipeableStream } from 'react-dom/server';
import type { DeviceClass } from '../../shared/device.ts';
import { publicConfig } from '../config.ts';
import { contentSecurityPolicy, foreignOrigins } from '../content-security-policy.ts';
import type { Logger } from '../log.ts';
import type { LoadedPage } from '../page/load-page.ts';
import type { PageRequest } from '../page/page-job.ts';
import type { Site } from '../site.ts';
import { type DocumentParts, pageDocument } from './document.ts';

export interface HtmlRequest {
  page: LoadedPage;
  /** Null for an error outside of any page. */
  request: PageRequest | null;
  origin: string;
  /** Null on pages that do not read it. */
  deviceClass: DeviceClass | null;
  /** Off for an answer to a form post. */
  hydrate: boolean;
}

/** A page that has been rendered and is ready to be piped, once. */
export interface RenderedPage {
  document: DocumentParts;
  stream: PipeableStream;
  /** The policy that lets the settings' stylesheets and scripts in; null where the site's own serves. */
  policy: string | null;
  /** Addresses for `Link: rel=preload`, with what they are. */
  preload: readonly string[];
}

/** Renders a page. Rejects before there is anything to send, so that the error page can still be the answer. */
export async function renderHtml(
  site: Site,
  html: HtmlRequest,
  signal: AbortSignal,
  log: Logger,
): Promise<RenderedPage> {
  const { page, request, origin, deviceClass, hydrate } = html;
  const { payload, settings, jsonLd } = page;
  const formState = request?.formState ?? null;
  const stream = await site.renderPage(
    { payload, url: (request?.path ?? '/') + (request?.search ?? ''), deviceClass, formState },
    { signal, timeoutMs: site.renderTimeoutMs, onError: error => log.error({ err: error }, 'render error') },
  );
  const customCss = settings?.customCss ?? [];
  const scripts = settings?.scripts ?? [];
  const waitsForConsent = (address: string) =>
    site.config.scriptsConsent && foreignOrigins([address], origin).length > 0;
  const consentScripts = scripts.filter(waitsForConsent);
  const document = pageDocument(site.manifest, {
    data: { payload, config: publicConfig(site.config, consentScripts), deviceClass, formState },
    jsonLd,
    origin,
    siteName: payload.data.shell?.siteName ?? '',
    customCss,
    scripts: scripts.filter(address => !waitsForConsent(address)),
    hydrate,
  });
  const policy =
    customCss.length > 0 || scripts.length > 0
      ? contentSecurityPolicy(site.config, { styles: customCss, scripts, origin })
      : null;
  return { document, stream, policy, preload: preloadLinks(site, payload.route) };
}

/** The route's stylesheet, fonts and scripts: a CDN turns them into 103 Early Hints. */
function preloadLinks({ manifest }: Site, route: LoadedPage['payload']['route']): string[] {
  const scripts = [manifest.entry, ...manifest.preload, ...((route && manifest.routes[route]) || [])];
  return [
    `<${manifest.stylesheet}>; rel=preload; as=style`,
    ...manifest.fonts.map(href => `<${href}>; rel=preload; as=font; type="font/woff2"; crossorigin`),
    ...scripts.map(href => `<${href}>; rel=modulepreload`),
  ];
}

/** Pipes a page into a sink: what stands before React's stream, the stream, and what stands after it. */
export async function pipePage({ document, stream }: RenderedPage, sink: Writable): Promise<void> {
  sink.write(document.before);
  const body = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: done => done(null, document.after),
  });
  stream.pipe(body);
  await pipeline(body, sink);
}

/** The other sink: collects a page that is to be stored. */
export async function collectPage(page: RenderedPage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      done();
    },
  });
  await pipePage(page, sink);
  return Buffer.concat(chunks);
}
