import { mediaPaths, mediaTags } from '../content/content-tags.ts';
import type { Logger } from '../ops/log.ts';
import type { PageBytes } from '../render/error-pages.ts';
import type { HtmlRequest } from '../render/html-request.ts';
import { collectPage, type RenderingSite, renderHtml } from '../render/page-html.ts';

/** Renders a page. */
export async function renderBytes(
  site: RenderingSite,
  html: HtmlRequest,
  signal: AbortSignal,
  log: Logger,
): Promise<PageBytes> {
  const { document, stream, policy, preload } = await renderHtml(site, html, signal, log);
  const body = collectPage({ document, stream });
  return { body, policy, preload, files: namedFiles(body) };
}

/** @returns the tags of the media files that a page names. */
export function namedFiles(body: Buffer): readonly string[] {
  return mediaTags(new Set(mediaPaths(body.toString('latin1'))));
}
