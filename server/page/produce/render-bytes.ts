import { mediaPaths, mediaTags } from '../../content/tags/media-tags.ts';
import type { Logger } from '../../ops/log.ts';
import type { Tick } from '../../ops/slices.ts';
import { tickIfLate } from '../../ops/slices.ts';
import type { PageBytes } from '../../render/error-pages.ts';
import type { HtmlRequest } from '../../render/html-request.ts';
import { collectPage, type RenderParts, renderHtml } from '../../render/page-html.ts';

export interface SendParts extends RenderParts {
  readonly renderTick: Tick;
}

/** Renders a page. A large page takes one tick for its markup and one for its document. */
export async function renderBytes(
  parts: RenderParts,
  html: HtmlRequest,
  signal: AbortSignal,
  log: Logger,
): Promise<PageBytes> {
  const { document, stream, policy, preload } = await renderHtml(parts, html, signal, log);
  await tickIfLate();
  const body = collectPage({ document, stream });
  // Skip the markup, because the data after it names all files of the page.
  return { body, policy, preload, files: namedFiles(document.before, document.after) };
}

export function namedFiles(...texts: readonly string[]): readonly string[] {
  return mediaTags(new Set(texts.flatMap(mediaPaths)));
}
