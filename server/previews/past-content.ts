import type { JsonAnswer } from '../backend/backend-client.ts';
import { emptyAnswer } from '../content/requests/answer-meaning.ts';
import type { ContentRequest } from '../content/requests/content-request.ts';
import type { ContentCache } from '../content/store/content-cache.ts';

/** Receives what a preview reads. */
export interface ReadNotes {
  /** Receives the key of content whose past is not known, and which is shown as it is now. */
  readonly onUnknown: (key: string) => void;
  /** Receives the answer with one whole entry. */
  readonly onEntry: (path: string, body: unknown) => void;
}

/** @returns what the CMS answered at a moment, as texts; null or nothing if that is not known. */
type AnswersThen = (key: string) => Promise<readonly string[] | null> | undefined;

/**
 * Notes what is read, for one preview.
 * @param answersThen for a moment in the past. What is not known is read as it is now.
 */
export function noting(cache: ContentCache, notes: ReadNotes, answersThen: AnswersThen | null): ContentCache {
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
            // Rows of lists lack fields.
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
