import { test } from 'vitest';
import type { JsonAnswer } from '../../server/backend/backend-client.ts';
import { createInvalidation } from '../../server/cache/tags/invalidation.ts';
import { InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { type ContentRequest, contentRequest } from '../../server/content/requests/content-request.ts';
import { type ContentCacheOptions, createContentCache } from '../../server/content/store/content-cache.ts';
import type { ContentRecord } from '../../server/content/store/content-record.ts';
import type { ContentEntry } from '../../server/content/store/stored-content.ts';
import { createDecodings } from '../../server/decode/decoding.ts';
import { createLogger } from '../../server/ops/log.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { startDecoding } from './decoding.ts';
import { memoryDisk } from './stale-cache-stage.ts';

export const TTL_MS = 1_000;
export const STALE_IF_ERROR_MS = 5_000;
export const TAGS = ['pages:1', 'pages'];

/** A backend call in flight, which the test answers. */
export interface Load {
  signal: AbortSignal;
  resolve(body: object | null): void;
  reject(error: unknown): void;
}

export type ContentCacheStage = ReturnType<typeof startContentCache>;

/**
 * Creates a content cache with a clock that the test advances and a disk tier in memory. All reads are
 * recorded.
 */
export function startContentCache({
  isPacked = false,
  ...options
}: Partial<ContentCacheOptions> & Pick<ContentRequest<null>, 'isPacked'> = {}) {
  const clock = { ms: 1_000_000 };
  const now = () => clock.ms;
  const invalidations = new InvalidationLog(now);
  const { files, disk } = memoryDisk<ContentRecord>();
  const lines: { level: string; msg: string; key?: string }[] = [];
  const cache = createContentCache({
    maxBytes: 100_000,
    ttlMs: TTL_MS,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    invalidations,
    disk,
    log: createLogger('debug', { write: line => void lines.push(JSON.parse(line)) }),
    now,
    ...options,
  });
  const all = createInvalidation(invalidations, [cache]);
  const events: string[] = [];
  const loads: Load[] = [];
  const decoded: string[] = [];

  /** A request that decodes a body to itself without its member `unread`. */
  function requestOf(key: string): ContentRequest<Body | null> {
    return contentRequest<Body | null>({
      key,
      type: contentTypes.page,
      isPacked,
      fetch: async ask => [await ask(`/api/${key}`)],
      begin: createDecodings(startDecoding().services),
      decode([answer]) {
        decoded.push(key);
        const body = answer?.body as Body | null;
        if (!body) return null;
        const { unread: _unread, ...read } = body;
        return read;
      },
      provenance: value => ({ tags: TAGS, about: value === null ? null : 'pages:1', decides: ['pages:1'] }),
    });
  }

  function entry(
    key: string,
    ask: (call: string, signal: AbortSignal) => Promise<JsonAnswer>,
    signal = new AbortController().signal,
    request = requestOf(key),
  ): Promise<ContentEntry<Body | null>> {
    return cache.read(request, { ask, signal, onEvent: (event, key) => void events.push(`${event} ${key}`) });
  }

  /** Reads an entry. The test answers the call. */
  const readEntry = (key = 'a', signal?: AbortSignal, request?: ContentRequest<Body | null>) =>
    entry(
      key,
      (_call, own) =>
        new Promise((resolve, reject) =>
          loads.push({ signal: own, resolve: body => resolve(answerOf(body)), reject }),
        ),
      signal,
      request,
    );

  return {
    cache,
    clock,
    files,
    invalidations,
    lines,
    events,
    loads,
    requestOf,
    readEntry,
    /** Reads a value. The test answers the call. */
    read: async (key = 'a', signal?: AbortSignal) => (await readEntry(key, signal)).value.value,
    /** Reads a value. The call is answered at once. */
    readNow: async (key: string, body: object | null) =>
      (await entry(key, async () => answerOf(body))).value.value,
    /** Reads a value. The call fails at once. */
    readFailing: async (key: string, error: unknown) =>
      (await entry(key, async () => Promise.reject(error))).value.value,
    peek: (key: string) => cache.peek<Body>(key)?.value.value,
    invalidate: (...tags: string[]) => all.invalidate(tags),
    remove: (...tags: string[]) => all.remove(tags),
    /** @returns the calls that began since the last `began()`. */
    began: () => loads.splice(0),
    /** @returns the events since the last `trace()`. */
    trace: () => events.splice(0),
    /** @returns the keys decoded since the last `decodes()`. */
    decodes: () => decoded.splice(0),
  };
}

export type Body = Readonly<Record<string, unknown>>;

/** @returns an answer in the form of the backend client. */
export function answerOf(body: object | null): JsonAnswer {
  const text = JSON.stringify(body);
  return { text, body: JSON.parse(text) };
}

/** Starts a stage with freshly loaded content under the key `a`. */
export async function startWithContent(body: object | null = { version: 1 }): Promise<ContentCacheStage> {
  const stage = startContentCache();
  await stage.readNow('a', body);
  stage.trace();
  stage.decodes();
  return stage;
}

/** Gives each test a content cache. */
export const it = test.extend('stage', async () => startContentCache());
