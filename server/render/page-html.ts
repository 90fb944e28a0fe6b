import type { PipeableStream } from 'react-dom/server';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { Config } from '../config/config.ts';
import { mediaPaths, mediaTags } from '../content/tags/media-tags.ts';
import { publicConfig } from '../http/public-config.ts';
import type { Logger } from '../ops/log.ts';
import { type Tick, tickIfLate } from '../ops/slices.ts';
import type { PreviewStatus } from '../previews/preview-cookie.ts';
import { type DocumentParts, escapeHtml, pageDocument } from './document.ts';
import type { PageBytes } from './error-pages.ts';
import { addressOf, type HtmlRequest } from './html-request.ts';
import type { RenderPage } from './render-page.tsx';
import type { ReadSettingsInDocument } from './settings-in-document.ts';

export interface LinkNote {
  /** The pages that link to the entry's current page. Renaming or unpublishing it affects them. */
  readonly linkedFrom: readonly { readonly title: string; readonly path: string | null }[];
  /** Why links of the entry lead nowhere. */
  readonly dead: readonly string[];
}

export interface ShownPreview {
  readonly links: LinkNote | null;
  readonly status: PreviewStatus;
  /** The moment in the site's time zone, such as `2026-12-24T09:00`; null for drafts whatever their dates. */
  readonly moment: string | null;
  /** How many pieces of content are shown as they are now, because their past is not known. */
  readonly unknown: number;
  /** The build id. Previews have another id, so that browsers never mix them with public pages. */
  readonly buildId: string;
  readonly frameOrigins: readonly string[];
  readonly editsFiles: boolean;
}

export interface RenderParts {
  readonly config: Config;
  readonly manifest: BuildManifest;
  readonly renderPage: RenderPage;
  readonly renderTimeoutMs: number;
  readonly settingsInDocument: ReadSettingsInDocument;
  readonly preloadLinks: string;
  readonly shownPreview: ShownPreview | null;
  readonly renderTick: Tick;
}

/** Renders a page. A large page takes one tick for its markup and one for its document. */
export async function renderBytes(
  parts: RenderParts,
  html: HtmlRequest,
  signal: AbortSignal,
  log: Logger,
): Promise<PageBytes> {
  const { page, request, origin, deviceClass } = html;
  const { payload, language, settings, settingsVersion } = page;
  const stream = await parts.renderPage(html, {
    signal,
    timeoutMs: parts.renderTimeoutMs,
    onError: error => log.error({ code: 'render-failed', err: error }, 'rendering: React reports an error'),
  });
  const shown = parts.shownPreview;
  const accent = settings?.accent ?? null;
  const { customCss, scripts, consent, policy } = parts.settingsInDocument(settings, settingsVersion, origin);
  const document = pageDocument(parts.manifest, html, {
    data: {
      payload,
      builtAt: parts.manifest.timestamp,
      language: language.page,
      config: publicConfig(parts.config, consent, shown),
      deviceClass,
      formState: request?.formState ?? null,
    },
    customCss: accent === null ? customCss : [accent, ...customCss],
    scripts,
    previewBar: shown && previewBarHtml(shown, addressOf(html)),
  });
  const preload = parts.preloadLinks + (accent === null ? '' : `, <${accent}>; rel=preload; as=style`);
  await tickIfLate();
  const body = collectPage(document, stream);
  // Skip the markup, because the data after it contains the addresses of all the page's files.
  return { body, policy, preload, files: namedFiles(document.before, document.after) };
}

export function namedFiles(...texts: readonly string[]): readonly string[] {
  return mediaTags(new Set(texts.flatMap(mediaPaths)));
}

const STATUSES = { draft: 'Draft', published: 'Published', past: 'As it was' } as const;

/** Writes the preview bar outside of React's root. `client/enhancements/preview.ts` updates its Exit link. */
function previewBarHtml({ status, moment, links, unknown }: ShownPreview, address: string): string {
  const exit = `/api/preview/exit?url=${encodeURIComponent(address)}`;
  const link = `<a href="${escapeHtml(exit)}" data-full-load="">Exit</a>`;
  const past =
    unknown === 0 ? '' : `<small>Shown as now, because their past is not known: ${unknown}</small>`;
  return `<aside id="preview-bar" aria-label="Preview">${STATUSES[status]} · ${link} · ${momentHtml(moment, address)}${links ? linksHtml(links) : ''}${past}</aside>`;
}

function linksHtml({ linkedFrom, dead }: LinkNote): string {
  if (linkedFrom.length + dead.length === 0) return '';
  const rows = linkedFrom.map(({ title, path }) =>
    path === null
      ? escapeHtml(title)
      : `<a href="${escapeHtml(path)}" data-full-load="">${escapeHtml(title)}</a>`,
  );
  const items = [...dead.map(escapeHtml), ...rows].map(row => `<li>${row}</li>`).join('');
  const counts = [dead.length > 0 && `Dead links: ${dead.length}`, `Linked from: ${linkedFrom.length}`];
  return ` <details id="preview-links"><summary>${counts.filter(Boolean).join(', ')}</summary><ol>${items}</ol></details>`;
}

/** Writes the moment of a preview, and the calendar, which `client/enhancements/preview.ts` fills. */
function momentHtml(moment: string | null, address: string): string {
  const day = moment === null ? '' : `: ${moment.replace('T', ', ')}`;
  const url = `<input type="hidden" name="url" value="${escapeHtml(address)}">`;
  const at = `<input type="datetime-local" name="at" aria-label="Moment" value="${moment ?? ''}">`;
  const form = `<form action="/api/preview/moment">${url}${at}<button>Show</button></form>`;
  return `<details id="preview-plan"><summary>Calendar${day}</summary>${form}<ol></ol></details>`;
}

/** Lists the preloads for the first paint. CDNs send them as 103 Early Hints. More would delay these. */
export function preloadLinks(manifest: BuildManifest): string {
  return [
    `<${manifest.stylesheet}>; rel=preload; as=style`,
    ...manifest.fonts.map(href => `<${href}>; rel=preload; as=font; crossorigin`),
    `<${manifest.early}>; rel=preload; as=script`,
  ].join(', ');
}

/** The buffer in which pages are collected one after the other. Joining pieces would take twice as long. */
const SCRATCH = Buffer.allocUnsafeSlow(256 * 1024);
const MAX_UNIT_BYTES = 3;

export function collectPage(document: DocumentParts, stream: PipeableStream): Buffer {
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
  // React's stream writes short texts as bytes and long texts as strings.
  flow(stream, write);
  write(document.after);
  const body = Buffer.allocUnsafeSlow(length);
  buffer.copy(body, 0, 0, length);
  return body;
}

/**
 * Reads the whole page at once, because React would keep it in memory for a slow client. A Node stream as the
 * sink would add 5 % to a page's time.
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
    // Accept listeners without calling them: the sink is never full and never closes.
    on: () => sink,
  };
  stream.pipe(sink as unknown as NodeJS.WritableStream);
  if (!outcome.isEnded) throw outcome.error ?? new Error('The page was not ready');
}
