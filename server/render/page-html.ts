import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
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
  return { document, stream, policy, preload: preloadLinks(site) };
}

/**
 * The stylesheet and the script that the first paint waits for: a CDN turns them into 103 Early Hints. The scripts that run
 * after it are not among them: they would take their share of the connection from what is named here. Nor are the fonts, which
 * the first lines of the document name: here they would make it longer than what a new connection may send at once.
 */
function preloadLinks({ manifest }: Site): string[] {
  return [`<${manifest.stylesheet}>; rel=preload; as=style`, `<${manifest.early}>; rel=preload; as=script`];
}

/** Pipes a page into a response, and resolves when all of it is out. */
export function pipePage({ document, stream }: RenderedPage, response: Writable): Promise<void> {
  response.write(document.before);
  const body = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      if (response.write(chunk)) done();
      else response.once('drain', done);
    },
    final: done => {
      response.end(document.after, done);
    },
  });
  // Whoever has gone takes the render along.
  response.once('close', () => body.destroy());
  response.once('error', error => body.destroy(error));
  stream.pipe(body);
  return finished(body);
}

/** The other sink: collects a page that is to be stored. */
export async function collectPage({ document, stream }: RenderedPage): Promise<Buffer> {
  const chunks: Uint8Array[] = [Buffer.from(document.before)];
  const body = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  stream.pipe(body);
  await finished(body);
  return Buffer.concat([...chunks, Buffer.from(document.after)]);
}
