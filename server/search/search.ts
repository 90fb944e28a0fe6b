import path from 'node:path';
import type { SharedTier } from '../cache/shared-tier.ts';
import type { InvalidationLog } from '../cache/tags/invalidation-log.ts';
import { WorkQueue } from '../cache/work-queue.ts';
import { createAnswerReader } from '../content/requests/answer-reader.ts';
import { createContentCache } from '../content/store/content-cache.ts';
import type { ContentRecord } from '../content/store/content-record.ts';
import type { DecodingServices } from '../decode/decoding.ts';
import { SearchUnavailableError, SiteBusyError } from '../errors.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { Condition } from '../ops/condition.ts';
import { IndexFeeder, type IndexFeederOptions } from './feeding/index-feeder.ts';
import { createSearchableRows } from './feeding/searchable-rows.ts';
import { SearchThread } from './search-thread.ts';
import type { PlacedArticle, SearchAnswer, SearchQuery } from './search-types.ts';

/** Limit for waiting queries, because each takes up to 30 ms. Further ones are refused. */
const MAX_WAITING = 64;
/** Queries are not cancelled, because other visitors may wait for the same results. */
const NO_END = new AbortController().signal;
const ROWS_BYTES = 1024 * 1024;
/** Limit for stored results. Many visitors type the same first letters. */
const MAX_ANSWERS = 500;

export interface SearchOptions extends Omit<IndexFeederOptions, 'thread' | 'rows' | 'cache'> {
  distDir: string;
  dir: string;
  decoding: Omit<DecodingServices, 'onProblems'>;
  timeZone: () => string;
  lifetimes: { ttlMs: number; staleIfErrorMs: number; invalidations: InvalidationLog };
  shared?: SharedTier<ContentRecord> | undefined;
  onOutcome?: (outcome: 'stored' | 'answered' | 'refused' | 'failed') => void;
}

export type Search = ReturnType<typeof createSearch>;

/** Creates the search, which does nothing before `begin`. */
export function createSearch(options: SearchOptions) {
  const { distDir, dir, decoding, timeZone, lifetimes, shared, onOutcome = () => {}, ...ofFeeder } = options;
  const { onChange, health, log, retryMs } = ofFeeder;
  const file = path.join(dir, 'search', 'index.db');
  health.watch(path.dirname(file));
  const thread = new SearchThread({
    worker: path.join(distDir, 'server/search-worker.js'),
    file,
    onRestart: () => feeder.begin(),
    restartMs: retryMs,
  });
  const { mediaAddress, compileText, media } = decoding;
  // Report no problems here, because pages report those of the same rows.
  const reader = createAnswerReader({ mediaAddress, compileText, media, onProblems: () => {} });
  const answers = boundedMap<Promise<SearchAnswer>>(MAX_ANSWERS, { ttl: lifetimes.ttlMs });
  const feeder = new IndexFeeder({
    ...ofFeeder,
    thread,
    rows: createSearchableRows(reader, timeZone),
    cache: createContentCache({ ...lifetimes, maxBytes: ROWS_BYTES, ...(shared ? { shared } : {}), log }),
    onChange() {
      answers.clear();
      onChange();
    },
  });
  const queue = new WorkQueue({ concurrency: MAX_WAITING, maxWaiting: 0 });
  const queued = <T>(task: () => Promise<T>) => queue.run(task, NO_END);
  let isUp = true;
  let hasBegun = false;
  const index = new Condition(log, {
    code: 'search',
    down: 'search: the index does not answer',
    up: 'search: the index answers again',
    level: 'warn',
  });
  let closed = Promise.resolve();

  const ask = (query: SearchQuery) =>
    queued(async () => {
      try {
        const answer = await thread.run('find', query);
        index.up();
        isUp = true;
        return answer;
      } catch (error) {
        isUp = false;
        if (health.state.isWritable) index.down({ err: error });
        else log.debug({ code: 'search-down', err: error }, 'search: the index does not answer');
        throw new SearchUnavailableError();
      }
    });

  return {
    /** @returns an article as indexed; null if unknown at the moment. Never rejects. */
    async articleOf(slug: string): Promise<PlacedArticle | null> {
      // Return null without a task, because the first task would start the thread.
      if (!hasBegun || feeder.isWaiting) return null;
      return queued(() => thread.run('articleOf', slug)).catch(() => null);
    },
    /** @throws SiteBusyError if too many queries wait; SearchUnavailableError. */
    find(query: SearchQuery): Promise<SearchAnswer> {
      feeder.hurry();
      const key = JSON.stringify(query);
      const known = answers.get(key);
      if (known) {
        onOutcome('stored');
        return known;
      }
      const answer = ask(query);
      answers.set(key, answer);
      answer.then(
        ({ until }) => {
          onOutcome('answered');
          // Let the result expire when a date next shows or hides an entry.
          if (until !== null && answers.peek(key) === answer)
            answers.set(key, answer, { ttl: Math.max(1, Math.min(lifetimes.ttlMs, until - Date.now())) });
        },
        error => {
          onOutcome(error instanceof SiteBusyError ? 'refused' : 'failed');
          answers.delete(key);
        },
      );
      return answer;
    },
    get state() {
      return { isUp, waiting: queue.work.running };
    },
    get isReading() {
      return feeder.isReading;
    },
    /** @param afterMs the delay of the first read. A search ends it. */
    begin(afterMs?: number): void {
      hasBegun = true;
      feeder.begin(afterMs);
    },
    layer: feeder,
    stop(): void {
      feeder.stop();
      closed = thread.close();
    },
    settled: () => closed,
  };
}
