import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { type DiskHealth, UNWATCHED } from '../cache/disk-health.ts';
import type { Invalidatable } from '../cache/invalidation.ts';
import type { InvalidationLog } from '../cache/invalidation-log.ts';
import type { SharedTier } from '../cache/shared-tier.ts';
import { createAnswerReader } from '../content/answer-reader.ts';
import type { ContentSource } from '../content/collecting-reader.ts';
import { createContentCache } from '../content/content-cache.ts';
import type { ContentRecord } from '../content/content-record.ts';
import type { DecodingServices } from '../content/decode/decoding.ts';
import { SearchUnavailableError, SiteBusyError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import type { SpareTime } from '../ops/spare-time.ts';
import { createIndexFeeder } from './index-feeder.ts';
import { createSearchThread } from './search-thread.ts';
import type { PlacedArticle, SearchAnswer, SearchQuery } from './search-types.ts';
import { createSearchableRows } from './searchable-rows.ts';

/** Queries that wait for the index. Beyond them the site is busy: each takes up to 30 ms. */
const MAX_WAITING = 64;
/** The memory for the rows that are being read, in bytes. */
const ROWS_BYTES = 1024 * 1024;
/** Answers that are kept until the index changes, for the suggestions: visitors begin with the same letters. */
const MAX_ANSWERS = 500;

/** The tag of everything that shows an answer of the search. */
export const SEARCH_TAG = 'search';

/** The search of the site. */
export interface Search {
  /**
   * @returns the entries that have all words of the query.
   * @throws SiteBusyError when too many queries wait; SearchUnavailableError when the index does not work.
   */
  find(query: SearchQuery): Promise<SearchAnswer>;
  /**
   * @returns the article with a slug, as it was when the index read it; null where the index does not know one, or cannot tell now. Never rejects.
   */
  articleOf(slug: string): Promise<PlacedArticle | null>;
  /** Whether the index lacks entries that are being read. */
  readonly isReading: boolean;
  /**
   * Begins to read the content into the index, and to follow its changes.
   *
   * @param afterMs how long the first reading waits, unless a visitor searches before.
   */
  begin(afterMs?: number): void;
  /** Learns of changes. */
  readonly layer: Invalidatable;
  /** Ends the reading, and then the thread of the index. */
  stop(): void;
  /** Resolves when the thread has ended. */
  settled(): Promise<void>;
}

export interface SearchOptions {
  distDir: string;
  /** The folder of the backend. */
  dir: string;
  content: Pick<ContentSource, 'api' | 'cache' | 'ask'>;
  decoding: Omit<DecodingServices, 'onProblems'>;
  /** @returns the IANA time zone in which a day without a time begins. */
  timeZone: () => string;
  lifetimes: { ttlMs: number; staleIfErrorMs: number; invalidations: InvalidationLog };
  /** Shares the rows with other processes. */
  shared?: SharedTier<ContentRecord> | undefined;
  mayAsk: () => boolean;
  spareTime: SpareTime;
  /** Called when other entries may be found than before. */
  onChange: () => void;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
  /** The pause before a reading that has failed, or a thread that has ended, begins again, in ms. */
  retryMs?: number | undefined;
}

/** @returns the search, which does nothing before `begin`. */
export function createSearch(options: SearchOptions): Search {
  const { distDir, dir, content, decoding, timeZone, lifetimes, shared } = options;
  const { mayAsk, spareTime, onChange, health = UNWATCHED, log, retryMs } = options;
  const file = path.join(dir, 'search', 'index.db');
  health.watch(path.dirname(file));
  const thread = createSearchThread({
    worker: path.join(distDir, 'server/search-worker.js'),
    file,
    onRestart: () => feeder.begin(),
    restartMs: retryMs,
  });
  const { mediaAddress, compileText, media } = decoding;
  // The pages report the problems of the same rows.
  const reader = createAnswerReader({ mediaAddress, compileText, media, onProblems: () => {} });
  const answers = new LRUCache<string, Promise<SearchAnswer>>({ max: MAX_ANSWERS, ttl: lifetimes.ttlMs });
  const feeder = createIndexFeeder({
    ...{ thread, content, mayAsk, spareTime, health, log, retryMs },
    rows: createSearchableRows(reader, timeZone),
    cache: createContentCache({ ...lifetimes, maxBytes: ROWS_BYTES, ...(shared ? { shared } : {}), log }),
    onChange() {
      answers.clear();
      onChange();
    },
  });
  let waiting = 0;
  let hasBegun = false;
  /** Whether the last query failed: the log has one line for all that follow it. */
  let isFailing = false;
  let closed = Promise.resolve();

  async function ask(query: SearchQuery): Promise<SearchAnswer> {
    if (waiting >= MAX_WAITING) throw new SiteBusyError();
    waiting += 1;
    try {
      const answer = await thread.run('find', query);
      isFailing = false;
      return answer;
    } catch (error) {
      log[isFailing || !health.state.isWritable ? 'debug' : 'warn'](
        { err: error },
        'search: the index does not answer',
      );
      isFailing = true;
      throw new SearchUnavailableError();
    } finally {
      waiting -= 1;
    }
  }

  return {
    async articleOf(slug) {
      // A question would start the thread.
      if (!hasBegun || feeder.isWaiting || waiting >= MAX_WAITING) return null;
      waiting += 1;
      try {
        return await thread.run('articleOf', slug);
      } catch {
        return null;
      } finally {
        waiting -= 1;
      }
    },
    find(query) {
      feeder.hurry();
      const key = JSON.stringify(query);
      const known = answers.get(key);
      if (known) return known;
      const answer = ask(query);
      answers.set(key, answer);
      answer.then(
        ({ until }) => {
          // The answer is another one when the next article is published.
          if (until !== null && answers.peek(key) === answer)
            answers.set(key, answer, { ttl: Math.max(1, Math.min(lifetimes.ttlMs, until - Date.now())) });
        },
        () => answers.delete(key),
      );
      return answer;
    },
    get isReading() {
      return feeder.isReading;
    },
    begin(afterMs) {
      hasBegun = true;
      feeder.begin(afterMs);
    },
    layer: {
      invalidate: feeder.invalidate,
      remove: feeder.remove,
      expireAll: feeder.expireAll,
      versionsOf: () => new Set(),
      namesBelow: () => [],
    },
    stop() {
      feeder.stop();
      closed = thread.close();
    },
    settled: () => closed,
  };
}
