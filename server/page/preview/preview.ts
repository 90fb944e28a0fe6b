import type { PageComponents } from '../../../shared/app-routes.tsx';
import { createBackendClient } from '../../backend/backend-client.ts';
import type { Config } from '../../config/config.ts';
import { type ContentApiOptions, createContentApi } from '../../content/requests/content-api.ts';
import { countedCalls } from '../../content/requests/counted-calls.ts';
import { formerSecretNote } from '../../http/security/former-secret.ts';
import type { Logger } from '../../ops/log.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import { createPreviewContent, type OpenPreviewContent } from '../../previews/preview-content.ts';
import { createPreviewCookie, type PreviewCookie } from '../../previews/preview-cookie.ts';
import { createPageRenderer, type RenderPage } from '../../render/render-page.tsx';

/** The parts for previews. A preview leaves no content in them. */
export interface Preview {
  readonly cookie: PreviewCookie;
  /** Receives each use of the former secret. */
  noteFormer(): void;
  readonly openContent: OpenPreviewContent;
  /** Creates a renderer for each preview, because renderers store headers and footers. */
  createRenderer(): RenderPage;
  readonly timeZone: () => string;
}

export interface PreviewOptions {
  config: Pick<Config, 'preview' | 'contentHeaders' | 'contentTimeoutMs'>;
  contentBaseUrl: string;
  /** The decoding without `onProblems`, because drafts may have problems. */
  decoding: Omit<ContentApiOptions['decoding'], 'onProblems'>;
  addressing: Omit<ContentApiOptions, 'client' | 'decoding' | 'onRedirectProblems'>;
  pages: PageComponents;
  /** The IANA time zone of the site. */
  timeZone: () => string;
  log: Logger;
  metrics: Pick<Metrics, 'count' | 'stamp'>;
}

/** @returns null if previews are not configured. */
export function createPreview(options: PreviewOptions): Preview | null {
  const { config, contentBaseUrl, decoding, addressing, pages, timeZone, log, metrics } = options;
  if (!config.preview) return null;
  const { secret, token } = config.preview;
  const headers = Object.entries(config.contentHeaders);
  // Use no breaker: failing previews would open it, and visitors would get no content.
  const client = createBackendClient({
    ...{ baseUrl: contentBaseUrl, token, timeoutMs: config.contentTimeoutMs },
    headers: Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'authorization')),
  });
  const ignore = () => {};
  const noteFormer = formerSecretNote({ log, metrics }, 'PREVIEW_SECRET_OLD');
  return {
    cookie: createPreviewCookie(secret, Date.now, noteFormer),
    noteFormer,
    openContent: createPreviewContent({
      callBackend: countedCalls((call, signal) => client.getJson(call, signal), metrics),
      createApi: (at, notes) =>
        createContentApi({
          // A moment that has come goes on with the time.
          ...(at === null ? {} : { publication: { now: () => Math.max(at, Date.now()), timeZone } }),
          client,
          decoding: {
            ...decoding,
            onProblems: notes?.onProblems ?? ignore,
            ...(notes && { noteField: notes.note }),
          },
          ...addressing,
          onRedirectProblems: ignore,
        }),
      log,
    }),
    timeZone,
    createRenderer: () => createPageRenderer(pages),
  };
}
