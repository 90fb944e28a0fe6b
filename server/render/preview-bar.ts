import type { PreviewStatus } from '../http/preview-cookie.ts';
import { escapeHtml } from './document.ts';

/** The facts about a preview that its pages show. */
export interface ShownPreview {
  readonly status: PreviewStatus;
  /** The id of the build. The payloads of a preview carry another one, so that the browser never mixes them with public pages. */
  readonly buildId: string;
  /** The origins whose pages may show the preview in a frame. */
  readonly frameOrigins: readonly string[];
}

/**
 * @param address path and query of the page, where the preview ends.
 * @returns the bar as HTML outside of React's root, so that public pages carry none of it. `client/preview.ts` keeps the address current.
 */
export function previewBarHtml({ status }: ShownPreview, address: string): string {
  const exit = `/api/preview/exit?url=${encodeURIComponent(address)}`;
  const link = `<a href="${escapeHtml(exit)}" data-full-load="">Exit</a>`;
  return `<aside id="preview-bar" aria-label="Preview">${status === 'draft' ? 'Draft' : 'Published'} · ${link}</aside>`;
}
