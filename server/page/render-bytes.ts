import { mediaPaths, mediaTags } from '../content/content-tags.ts';
import type { Logger } from '../ops/log.ts';
import { ownTurnIfLate } from '../ops/turns.ts';
import type { PageBytes } from '../render/error-pages.ts';
import type { HtmlRequest } from '../render/html-request.ts';
import { collectPage, type RenderingSite, renderHtml } from '../render/page-html.ts';

/** Renders a page. The markup of a large one is made in a turn, and put together with its document in the next. */
export async function renderBytes(
  site: RenderingSite,
  html: HtmlRequest,
  signal: AbortSignal,
  log: Logger,
): Promise<PageBytes> {
  const { document, stream, policy, preload } = await renderHtml(site, html, signal, log);
  await ownTurnIfLate();
  const body = collectPage({ document, stream });
  // The markup shows no other files than the data of the page names, which stands behind it.
  return { body, policy, preload, files: namedFiles(document.before, document.after) };
}

/** @returns the tags of the media files that texts name. */
export function namedFiles(...texts: readonly string[]): readonly string[] {
  return mediaTags(new Set(texts.flatMap(mediaPaths)));
}
