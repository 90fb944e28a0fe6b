import type { ServerResponse } from 'node:http';
import type { PipeableStream } from 'react-dom/server';
import type { DeviceClass } from '../../shared/device/device.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { publicConfig } from '../config.ts';
import type { Logger } from '../ops/log.ts';
import type { PageRequest } from '../page/page-job.ts';
import type { Site } from '../site.ts';
import { type DocumentParts, pageDocument } from './document.ts';
import type { LoadedPage } from './loaded-page.ts';
import { settingsInDocument } from './settings-in-document.ts';

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
  /** `Link: rel=preload`. */
  preload: string;
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
  const { customCss, scripts, consentScripts, policy } = settingsInDocument(site.config, settings, origin);
  const document = pageDocument(site.manifest, {
    data: { payload, config: publicConfig(site.config, consentScripts), deviceClass, formState },
    jsonLd,
    origin,
    siteName: payload.data.shell?.siteName ?? '',
    customCss,
    scripts,
    hydrate,
  });
  return { document, stream, policy, preload: preloadLinks(site) };
}

/** Made once, and the same text in all stored pages: ten thousand copies of it would not be in the processor's cache. */
const preloads = new WeakMap<BuildManifest, string>();

/**
 * The stylesheet, the fonts and the script that the first paint waits for: a CDN turns them into 103 Early Hints. The scripts that
 * run after it are not among them: they would take their share of the connection from what is named here.
 */
function preloadLinks({ manifest }: Site): string {
  const known = preloads.get(manifest);
  if (known !== undefined) return known;
  const links = [
    `<${manifest.stylesheet}>; rel=preload; as=style`,
    ...manifest.fonts.map(href => `<${href}>; rel=preload; as=font; crossorigin`),
    `<${manifest.early}>; rel=preload; as=script`,
  ].join(', ');
  preloads.set(manifest, links);
  return links;
}

/** Pipes a page into a response. What its client is slow to take waits in the response. */
export function pipePage({ document, stream }: RenderedPage, response: ServerResponse): void {
  // One write to the socket: each is a call of the system, and a tenth of the time of a page.
  const { socket } = response;
  socket?.cork();
  response.cork();
  response.write(document.before);
  flow(stream, chunk => response.write(chunk));
  response.write(document.after);
  // Before the end: an `end` of http that is corked sends its last chunk before the others.
  response.uncork();
  response.end();
  socket?.uncork();
}

/** The other sink: collects a page that is to be stored. */
export function collectPage({ document, stream }: RenderedPage): Buffer {
  const chunks: Uint8Array[] = [Buffer.from(document.before)];
  // A long text comes as it is.
  flow(stream, chunk => chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  chunks.push(Buffer.from(document.after));
  return Buffer.concat(chunks);
}

/**
 * Takes all of a page that is ready, at once: React has the whole of it in memory, and to wait for anybody would only keep
 * it there. A stream of Node's around each sink would be a twentieth of the time of a page.
 *
 * @throws what React has to say against it.
 */
function flow(stream: PipeableStream, write: (chunk: string | Uint8Array) => void): void {
  const outcome: { isEnded: boolean; error: unknown } = { isEnded: false, error: null };
  const sink = {
    write(chunk: string | Uint8Array) {
      write(chunk);
      return true;
    },
    end() {
      outcome.isEnded = true;
    },
    destroy(error: unknown) {
      outcome.error = error;
    },
    // It is never full and never goes away: there is nothing to be told of.
    on: () => sink,
  };
  stream.pipe(sink as unknown as NodeJS.WritableStream);
  if (!outcome.isEnded) throw outcome.error ?? new Error('The page was not ready');
}
