import { InvalidationLog } from '../cache/tags/invalidation-log.ts';
import { withReader } from '../content/reading/cached-content-reader.ts';
import type { ContentApi } from '../content/requests/content-api.ts';
import type { CallBackend } from '../content/requests/counted-calls.ts';
import { createContentCache } from '../content/store/content-cache.ts';
import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import type { PreviewStatus } from './preview-cookie.ts';

/** Strapi 5 reads `status`, and Strapi 4 reads `publicationState`. */
const QUERIES = {
  draft: 'status=draft&publicationState=preview',
  published: 'status=published&publicationState=live',
} as const satisfies Record<PreviewStatus, string>;

const REFUSED: readonly (number | null)[] = [401, 403];
const REMEDY =
  "Strapi: Settings → API Tokens → the token whose value is PREVIEW_TOKEN ('Site preview' in the CMS of cms/): allow find of every type; after a change of the value restart the site";

/** Whether the CMS has refused a call of a preview. The preview itself logs that. */
export function isLoggedRefusal(error: unknown): boolean {
  return error instanceof BackendError && REFUSED.includes(error.status);
}

/** Longer than any preview takes, so its content stays fresh while it is made. */
const TTL_MS = 600_000;
const MAX_BYTES = 64 * 1024 * 1024;

export interface PreviewContentOptions {
  /** With the token that may read drafts. */
  callBackend: CallBackend;
  /** Requests remember slugs and missing fields, so each preview has its own. */
  createApi: () => ContentApi;
  log: Logger;
}

/** Content for one answer. Nothing of it outlives the answer: no other part of the site knows its cache. */
export type OpenPreviewContent = (
  status: PreviewStatus,
  signal: AbortSignal,
) => ReturnType<typeof withReader>;

export function createPreviewContent({
  callBackend,
  createApi,
  log,
}: PreviewContentOptions): OpenPreviewContent {
  return (status, signal) => {
    const api = createApi();
    const order = api.articleOrder();
    // A page makes several calls, and a token without rights is refused at each.
    let isRefused = false;
    const asking = (asked: PreviewStatus) => async (call: string, signal: AbortSignal) => {
      try {
        return await callBackend(`${call}${call.includes('?') ? '&' : '?'}${QUERIES[asked]}`, signal);
      } catch (error) {
        if (isLoggedRefusal(error) && !isRefused)
          log.warn(
            { code: 'preview-refused', reason: String(error), remedy: REMEDY },
            'the CMS refuses content for a preview',
          );
        isRefused ||= isLoggedRefusal(error);
        throw error;
      }
    };
    return withReader({
      api: {
        ...api,
        // Drafts without a date must not put all lists into another order.
        articleOrder: () => ({
          ...order,
          fetch: (_ask, read) => order.fetch(call => asking('published')(call, signal), read),
        }),
      },
      cache: createContentCache({
        ttlMs: TTL_MS,
        staleIfErrorMs: 0,
        maxBytes: MAX_BYTES,
        invalidations: new InvalidationLog(),
        log,
      }),
      ask: asking(status),
    });
  };
}
