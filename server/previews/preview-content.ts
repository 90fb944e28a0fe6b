import type { JsonAnswer } from '../backend/backend-client.ts';
import { InvalidationLog } from '../cache/tags/invalidation-log.ts';
import { withReader } from '../content/reading/content-reader.ts';
import { emptyAnswer } from '../content/requests/answer-meaning.ts';
import type { ContentApi } from '../content/requests/content-api.ts';
import type { ContentRequest } from '../content/requests/content-request.ts';
import type { CallBackend } from '../content/requests/counted-calls.ts';
import { type ContentCache, createContentCache } from '../content/store/content-cache.ts';
import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import type { History } from './history.ts';
import type { FieldNotes } from './note-fields.ts';
import type { PreviewStatus, PreviewView } from './preview-cookie.ts';

/** The query for each status: Strapi 5 reads `status`, Strapi 4 reads `publicationState`. */
const QUERIES = {
  draft: 'status=draft&publicationState=preview',
  published: 'status=published&publicationState=live',
  past: 'status=published&publicationState=live',
} as const satisfies Record<PreviewStatus, string>;

const REFUSED: readonly (number | null)[] = [401, 403];
const REMEDY =
  "Strapi: Settings → API Tokens → the token whose value is PREVIEW_TOKEN ('Site preview' in the CMS of cms/): allow find of every type; after a change of the value restart the site";

/** Whether an error is a refusal by the CMS, which the preview logs itself. */
export function isLoggedRefusal(error: unknown): boolean {
  return error instanceof BackendError && REFUSED.includes(error.status);
}

/** The lifetime of content, in ms: longer than any preview takes. */
const TTL_MS = 600_000;
const MAX_BYTES = 64 * 1024 * 1024;

type ContentNotes = Pick<FieldNotes, 'note' | 'onProblems' | 'onUnknown' | 'onEntry'>;

interface PreviewContentOptions {
  callBackend: CallBackend;
  /** Creates the API. Each preview needs one, because an API remembers slugs and missing fields. */
  createApi: (view: PreviewView, notes: ContentNotes | undefined) => ContentApi;
  history: Pick<History, 'answersAt'> | null;
  log: Logger;
}

/** @returns a function that creates content for one response, with a cache for this response only. */
export function createPreviewContent({ callBackend, createApi, history, log }: PreviewContentOptions) {
  return (view: PreviewView, signal: AbortSignal, notes?: ContentNotes) => {
    const { status, at } = view;
    const api = createApi(view, notes);
    const order = api.articleOrder();
    // Log once, because a page makes several calls and a weak token is refused at each.
    let isRefused = false;
    const asking = (asked: PreviewStatus) => async (call: string, signal: AbortSignal) => {
      try {
        return await callBackend(`${call}${call.includes('?') ? '&' : '?'}${QUERIES[asked]}`, signal);
      } catch (error) {
        if (isLoggedRefusal(error) && !isRefused)
          log.warn(
            { code: 'preview-refused', reason: String(error), remedy: REMEDY },
            'preview: the CMS refuses content to PREVIEW_TOKEN',
          );
        isRefused ||= isLoggedRefusal(error);
        throw error;
      }
    };
    const cache = createContentCache({
      ttlMs: TTL_MS,
      staleIfErrorMs: 0,
      maxBytes: MAX_BYTES,
      invalidations: new InvalidationLog(),
      log,
    });
    return withReader({
      api: {
        ...api,
        // Find the order of lists from published articles, because a draft without a date must not change it.
        articleOrder: () => ({
          ...order,
          fetch: (_ask, read) => order.fetch(call => asking('published')(call, signal), read),
        }),
      },
      cache: notes
        ? noting(cache, notes, status === 'past' && at !== null ? key => history?.answersAt(key, at) : null)
        : cache,
      ask: asking(status),
    });
  };
}

/** @returns the CMS's responses at a past time, as texts; null or undefined if they are not known. */
type AnswersThen = (key: string) => Promise<readonly string[] | null> | undefined;

/** @param answersThen set for a past time. Content whose past is not known is read as it is now. */
function noting(cache: ContentCache, notes: ContentNotes, answersThen: AnswersThen | null): ContentCache {
  return {
    ...cache,
    read: (request, options) =>
      cache.read(
        {
          ...request,
          async fetch(ask, read) {
            const then = answersThen && (await pastAnswers(request, answersThen));
            if (answersThen && !then) notes.onUnknown(request.key);
            const answers = then ?? (await request.fetch(ask, read));
            const { key, type } = request;
            // Skip lists, because their rows lack fields.
            if (type.storage === 'single' || key.startsWith(`${type.path}/`))
              for (const { body } of answers) notes.onEntry(type.path, body);
            return answers;
          },
        },
        options,
      ),
  };
}

async function pastAnswers(
  { key, type }: Pick<ContentRequest<object | null>, 'key' | 'type'>,
  answersThen: AnswersThen,
): Promise<readonly JsonAnswer[] | null> {
  const texts = await answersThen(key);
  if (!texts) return null;
  if (texts.length === 0) return [emptyAnswer(type)];
  return texts.map(text => ({ text, body: JSON.parse(text) as unknown }));
}
