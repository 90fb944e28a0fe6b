import { isRefusal } from './answer-meaning.ts';
import type { ContentRequest } from './content-request.ts';
import type { StoredContent } from './stored-content.ts';

/** Knows when refused content, which counts as empty, is asked for again because a page cannot be made without it. */
export interface RefusedContent {
  /** @returns whether content is to be asked for now: its type has answered since, or was not asked for a second. Counts as asking. */
  isDue(request: ContentRequest<object | null>, value: StoredContent, generatedAt: number): boolean;
  /** Notes that content was loaded which was refused before: the permission of its type is back. */
  noteEnd(request: ContentRequest<object | null>): void;
}

/** A refused type is asked for again at most once in so many ms, whatever the number of visitors. */
const ASK_EVERY_MS = 1_000;

/** @param now the clock, in ms. */
export function createRefusedContent(now: () => number): RefusedContent {
  /** Both by the path of the type. */
  const askedAt = new Map<string, number>();
  const endedAt = new Map<string, number>();
  return {
    isDue({ type }, { emptyBecause }, generatedAt) {
      if (emptyBecause === null || !isRefusal(type, emptyBecause)) return false;
      if (generatedAt < (endedAt.get(type.path) ?? 0)) return true;
      const isDue = now() - (askedAt.get(type.path) ?? Number.NEGATIVE_INFINITY) >= ASK_EVERY_MS;
      if (isDue) askedAt.set(type.path, now());
      return isDue;
    },
    noteEnd: ({ type }) => void endedAt.set(type.path, now()),
  };
}
