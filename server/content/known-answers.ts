import { LRUCache } from 'lru-cache';
import type { Source } from '../backend/backend-client.ts';

/** Answers that are known again, in characters of what the backend sent and was asked. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** Those that hold nothing: apart, since a million wrong addresses must not push the right ones out. */
const MAX_EMPTY_LENGTH = 1024 * 1024;
/** What an answer takes besides, however short it is, in bytes. */
const OVERHEAD = 512;

interface KnownAnswer extends Source {
  decoded: object;
}

export interface KnownAnswers {
  /**
   * Nearly all content is as it was when it was asked for last: the same text is the very same value, and is not decoded again.
   *
   * @param source null where nothing is known of the text.
   */
  decoded<T extends object>(
    call: string,
    source: Source | null,
    isEmpty: boolean,
    decode: () => Promise<T>,
  ): Promise<T>;
  readonly entries: number;
}

/** @returns room for answers by their calls. */
export function createKnownAnswers(): KnownAnswers {
  const full = createStore(MAX_LENGTH);
  const empty = createStore(MAX_EMPTY_LENGTH);
  return {
    async decoded<T extends object>(
      call: string,
      source: Source | null,
      isEmpty: boolean,
      decode: () => Promise<T>,
    ) {
      const store = isEmpty ? empty : full;
      const before = store.get(call);
      if (before && before.digest === source?.digest) return before.decoded as T;
      const decoded = await decode();
      if (source) store.set(call, { ...source, decoded });
      return decoded;
    },
    get entries() {
      return full.size + empty.size;
    },
  };
}

function createStore(maxSize: number) {
  return new LRUCache<string, KnownAnswer>({
    maxSize,
    sizeCalculation: ({ length }, call) => OVERHEAD + call.length + length,
  });
}
