import type { PageComponents } from '../../shared/app-routes.tsx';
import { createBackendClient } from '../backend/backend-client.ts';
import type { Config } from '../config.ts';
import { type ContentApiOptions, createContentApi } from '../content/content-api.ts';
import { countedCalls } from '../content/counted-calls.ts';
import { createPreviewContent, type OpenPreviewContent } from '../content/preview-content.ts';
import { createPreviewCookie, type PreviewCookie } from '../http/preview-cookie.ts';
import type { Logger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { createPageRenderer, type RenderPage } from '../render/render-page.tsx';

/** The parts that previews use alone. Previews leave nothing behind in them. */
export interface Preview {
  readonly cookie: PreviewCookie;
  readonly openContent: OpenPreviewContent;
  /** @returns a renderer that has rendered nothing yet: a renderer remembers headers and footers. */
  createRenderer(): RenderPage;
}

export interface PreviewOptions {
  config: Pick<Config, 'preview' | 'contentHeaders' | 'contentTimeoutMs'>;
  contentBaseUrl: string;
  /** The options of the public content. Problems of drafts are not reported: the editor is not done. */
  decoding: Omit<ContentApiOptions['decoding'], 'onProblems'>;
  redirecting: Omit<ContentApiOptions, 'client' | 'decoding' | 'onRedirectProblems'>;
  pages: PageComponents;
  log: Logger;
  metrics: Pick<Metrics, 'backendCall'>;
}

/** @returns the parts for previews; null where they are not configured. */
export function createPreview(options: PreviewOptions): Preview | null {
  const { config, contentBaseUrl, decoding, redirecting, pages, log, metrics } = options;
  if (!config.preview) return null;
  const { secret, token } = config.preview;
  const headers = Object.entries(config.contentHeaders);
  // The calls have no breaker: one that editors open would close the content to visitors.
  const client = createBackendClient({
    ...{ baseUrl: contentBaseUrl, token, timeoutMs: config.contentTimeoutMs },
    headers: Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'authorization')),
  });
  const ignore = () => {};
  return {
    cookie: createPreviewCookie(secret),
    openContent: createPreviewContent({
      callBackend: countedCalls((call, signal) => client.getJson(call, signal), metrics.backendCall),
      createApi: () =>
        createContentApi({
          client,
          decoding: { ...decoding, onProblems: ignore },
          ...redirecting,
          onRedirectProblems: ignore,
        }),
      log,
    }),
    createRenderer: () => createPageRenderer(pages),
  };
}
