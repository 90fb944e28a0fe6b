import { createInvalidationLog } from '../cache/invalidation-log.ts';
import { BackendError } from '../errors.ts';
import type { PreviewStatus } from '../http/preview-cookie.ts';
import type { Logger } from '../ops/log.ts';
import type { ContentSource } from './collecting-reader.ts';
import type { ContentApi } from './content-api.ts';
import { createContentCache } from './content-cache.ts';
import type { CallBackend } from './counted-calls.ts';

/** Strapi 5 reads `status`, and Strapi 4 reads `publicationState`. Each ignores the word of the other. */
const QUERIES = {
  draft: 'status=draft&publicationState=preview',
  published: 'status=published&publicationState=live',
} as const satisfies Record<PreviewStatus, string>;

const REFUSED: readonly (number | null)[] = [401, 403];
const REMEDY =
  "Strapi: Settings → API Tokens → the token whose value is PREVIEW_TOKEN ('Site preview' in the CMS of cms/): allow find of every type; after a change of the value restart the site";

/** @returns whether the CMS has refused a call of a preview. The preview has a line in the log about that. */
export function isLoggedRefusal(error: unknown): boolean {
  return error instanceof BackendError && REFUSED.includes(error.status);
}

/** No preview takes this long, so its content stays fresh while it is made, in ms. */
const TTL_MS = 600_000;
/** The memory for the content of one preview, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface PreviewContentOptions {
  /** Calls the backend with the token that may read drafts. */
  callBackend: CallBackend;
  /** Creates the requests for content. They remember slugs and missing fields, so each preview has its own. */
  createApi: () => ContentApi;
  log: Logger;
}

/** @returns content of a status for one answer. Nothing of it outlives the answer: no other part of the site knows its cache. */
export type OpenPreviewContent = (status: PreviewStatus, signal: AbortSignal) => ContentSource;

/** @returns a function that opens the content of a preview. */
export function createPreviewContent({
  callBackend,
  createApi,
  log,
}: PreviewContentOptions): OpenPreviewContent {
  return (status, signal) => {
    const api = createApi();
    const order = api.articleOrder();
    // A page makes several calls, and a token that may read nothing is refused at each.
    let isRefused = false;
    const asking = (asked: PreviewStatus) => async (call: string, signal: AbortSignal) => {
      try {
        return await callBackend(`${call}${call.includes('?') ? '&' : '?'}${QUERIES[asked]}`, signal);
      } catch (error) {
        if (isLoggedRefusal(error) && !isRefused)
          log.warn({ reason: String(error), remedy: REMEDY }, 'the CMS refuses content for a preview');
        isRefused ||= isLoggedRefusal(error);
        throw error;
      }
    };
    return {
      api: {
        ...api,
        // An article gets its date when it is published. The drafts without one must not put all lists into another order.
        articleOrder: () => ({
          ...order,
          fetch: (_ask, read) => order.fetch(call => asking('published')(call, signal), read),
        }),
      },
      cache: createContentCache({
        ...{ ttlMs: TTL_MS, staleIfErrorMs: 0, maxBytes: MAX_BYTES },
        invalidations: createInvalidationLog(),
        log,
      }),
      ask: asking(status),
    };
  };
}
