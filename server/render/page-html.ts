import type { PipeableStream } from 'react-dom/server';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { publicConfig } from '../http/public-config.ts';
import type { Logger } from '../ops/log.ts';
import type { Site } from '../site.ts';
import { type DocumentParts, pageDocument } from './document.ts';
import type { HtmlRequest } from './html-request.ts';
import { previewBarHtml } from './preview-bar.ts';

/** A rendered page. Its stream can be piped once. */
export interface RenderedPage {
  document: DocumentParts;
  stream: PipeableStream;
  /** The policy that allows the stylesheets and scripts of the settings; null when the site's own policy is enough. */
  policy: string | null;
  /** The value of `Link`. */
  preload: string;
}

export type RenderingSite = Pick<
  Site,
  | 'renderPage'
  | 'renderTimeoutMs'
  | 'config'
  | 'manifest'
  | 'preloadLinks'
  | 'settingsInDocument'
  | 'shownPreview'
>;

/** Renders a page. Rejects before anything can be sent, so that the error page can still be the answer. */
export async function renderHtml(
  site: RenderingSite,
  html: HtmlRequest,
  signal: AbortSignal,
  log: Logger,
): Promise<RenderedPage> {
  const { page, request, origin, deviceClass, hydrate } = html;
  const { payload, shellVersion, language, settings, settingsVersion, share, jsonLd } = page;
  const formState = request?.formState ?? null;
  const url = (request?.path ?? '/') + (request?.search ?? '');
  const stream = await site.renderPage(
    { payload, shellVersion, url, deviceClass, formState, language },
    { signal, timeoutMs: site.renderTimeoutMs, onError: error => log.error({ err: error }, 'render error') },
  );
  const shown = site.shownPreview;
  const { customCss, scripts, consentScripts, policy } = site.settingsInDocument(
    settings,
    settingsVersion,
    origin,
  );
  const document = pageDocument(site.manifest, {
    data: {
      payload,
      builtAt: site.manifest.timestamp,
      language: language.page,
      config: publicConfig(site.config, consentScripts, shown),
      deviceClass,
      formState,
    },
    share,
    jsonLd,
    language,
    origin,
    siteName: payload.data.shell?.siteName ?? '',
    customCss,
    scripts,
    hydrate,
    previewBar: shown && previewBarHtml(shown, url),
  });
  return { document, stream, policy, preload: site.preloadLinks };
}

/**
 * @returns the value of `Link`, the same for every page: preloads of the stylesheet, the fonts and the script that the first paint waits
 * for. A CDN turns them into 103 Early Hints. Scripts that run after the first paint are left out: they would
 * slow these preloads down.
 */
export function preloadLinks(manifest: BuildManifest): string {
  return [
    `<${manifest.stylesheet}>; rel=preload; as=style`,
    ...manifest.fonts.map(href => `<${href}>; rel=preload; as=font; crossorigin`),
    `<${manifest.early}>; rel=preload; as=script`,
  ].join(', ');
}

/** Pages are put together in this buffer, one after the other. A buffer for each piece of a page, and their copy, would take twice as long. */
const SCRATCH = Buffer.allocUnsafeSlow(256 * 1024);
/** UTF-8 needs at most this many bytes for a UTF-16 code unit. */
const MAX_UNIT_BYTES = 3;

/** @returns the bytes of a page. */
export function collectPage({ document, stream }: Pick<RenderedPage, 'document' | 'stream'>): Buffer {
  let buffer = SCRATCH;
  let length = 0;
  const write = (chunk: string | Uint8Array) => {
    const needed = length + chunk.length * (typeof chunk === 'string' ? MAX_UNIT_BYTES : 1);
    if (needed > buffer.byteLength) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    if (typeof chunk === 'string') length += buffer.write(chunk, length);
    else {
      buffer.set(chunk, length);
      length += chunk.byteLength;
    }
  };
  write(document.before);
  // React's stream writes short texts as bytes and long ones as strings.
  flow(stream, write);
  write(document.after);
  const body = Buffer.allocUnsafeSlow(length);
  buffer.copy(body, 0, 0, length);
  return body;
}

/**
 * Reads a rendered page at once. React has all of it in memory, and waiting for a slow client would keep it there.
 * The sink is no Node stream: creating one would take a twentieth of the time of a page.
 *
 * @throws the error that React reports.
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
    // The sink is never full and never closes, so it emits no events.
    on: () => sink,
  };
  stream.pipe(sink as unknown as NodeJS.WritableStream);
  if (!outcome.isEnded) throw outcome.error ?? new Error('The page was not ready');
}
