import type { PageComponents } from '../../../shared/app-routes.tsx';
import { createBackendClient } from '../../backend/backend-client.ts';
import type { Config } from '../../config/config.ts';
import { type ContentApiOptions, createContentApi } from '../../content/requests/content-api.ts';
import { timeOf } from '../../decode/site-time.ts';
import type { EditFile } from '../../embedded-cms/folder/edit-folder.ts';
import { countedUse, formerSecretNote } from '../../http/security/secret-uses.ts';
import type { Logger } from '../../ops/log.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import { HISTORY_MS, type History } from '../../previews/history.ts';
import { createPreviewContent } from '../../previews/preview-content.ts';
import { createPreviewCookie, type PreviewStatus, type PreviewView } from '../../previews/preview-cookie.ts';
import { createPageRenderer } from '../../render/render-page.tsx';

/** The parts for previews, which all previews share. They store no content of a preview. */
export type Preview = NonNullable<ReturnType<typeof createPreview>>;

export interface PreviewOptions {
  config: Pick<Config, 'preview' | 'contentHeaders' | 'contentTimeoutMs' | 'isProduction'>;
  contentBaseUrl: string;
  /** The decoding without `onProblems`, because drafts may have problems. */
  decoding: Omit<ContentApiOptions['decoding'], 'onProblems'>;
  addressing: Omit<ContentApiOptions, 'client' | 'decoding' | 'onRedirectProblems'>;
  pages: PageComponents;
  timeZone: () => string;
  history: History | null;
  edit?: EditFile | undefined;
  log: Logger;
  metrics: Pick<Metrics, 'count'>;
}

export function createPreview(options: PreviewOptions) {
  const { config, contentBaseUrl, decoding, addressing, pages, timeZone, history, log, metrics } = options;
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
      // Do not count these calls as content calls, because those metrics are about visitors' pages.
      callBackend: (call, signal) => countedUse(metrics, 'PREVIEW_TOKEN', () => client.getJson(call, signal)),
      createApi: ({ status, at }, notes) =>
        createContentApi({
          ...(at === null ? {} : { publication: { now: () => clockAt(status, at), timeZone } }),
          client,
          decoding: {
            ...decoding,
            onProblems: notes?.onProblems ?? ignore,
            ...(notes && { noteField: notes.note }),
          },
          ...addressing,
          onRedirectProblems: ignore,
        }),
      history,
      log,
    }),
    timeZone,
    /**
     * @param moment a date or time; '' for entries whatever their dates.
     * @returns null if the text is no date or time, or if the history does not reach back to it.
     */
    viewAt(moment: string, status: PreviewStatus): PreviewView | null {
      const at = moment === '' ? null : timeOf(moment, timeZone());
      if (at === null || at > Date.now()) return { status, at };
      return history !== null && at > Date.now() - HISTORY_MS ? { status: 'past', at } : null;
    },
    /** Edits the content folder; null with a CMS and in production. */
    edit: config.isProduction ? null : (options.edit ?? null),
    /** Creates a renderer for each preview, because renderers store headers and footers. */
    createRenderer: () => createPageRenderer(pages),
  };
}

/** A preview of a future moment shows that moment until it is reached, and then the current time. */
function clockAt(status: PreviewStatus, at: number): number {
  return status === 'past' ? at : Math.max(at, Date.now());
}
