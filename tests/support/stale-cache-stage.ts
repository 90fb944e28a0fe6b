import { test } from 'vitest';
import type { DiskTier } from '../../server/cache/disk-tier.ts';
import { type CacheEntry, ENTRY_OVERHEAD_BYTES, textBytes } from '../../server/cache/entry-store.ts';
import { createInvalidation } from '../../server/cache/invalidation.ts';
import { createInvalidationLog } from '../../server/cache/invalidation-log.ts';
import type { SharedTier } from '../../server/cache/shared-tier.ts';
import {
  createStaleCache,
  type Generated,
  type Revive,
  type StaleCacheOptions,
} from '../../server/cache/stale-cache.ts';
import { deepFreeze } from './deep-freeze.ts';

export const TTL_MS = 60_000;
export const STALE_IF_ERROR_MS = 10 * TTL_MS * 60;
export const NEGATIVE_TTL_MS = 10_000;
export const MAX_NEGATIVE_BYTES = 8 * 1024 * 1024;
/** The clock's time when a stage starts, in ms. */
export const START = 1_000_000_000;

/** The value that the tests of the stale cache store: a text that claims a size. */
export interface Value {
  readonly text: string;
  readonly bytes: number;
}

export type Entry = CacheEntry<Value>;
export type Outcome = Generated<Value, Entry>;
export type EntryOutcome = Extract<Outcome, { kind: 'entry' }>;

/** A generation that the test ends by hand. */
export interface Generation {
  signal: AbortSignal;
  finish(outcome: Outcome): void;
  fail(error: unknown): void;
}

/** @returns a disk tier in memory, and its records. */
export function memoryDisk<R>() {
  const files = new Map<string, R>();
  const disk: DiskTier<R> = {
    write: (key, record) => void files.set(key, record()),
    read: async key => files.get(key) ?? null,
    remove: key => void files.delete(key),
    settled: async () => {},
  };
  return { files, disk };
}

export interface SharedDouble<R> extends SharedTier<R> {
  readonly records: Map<string, R>;
  readonly locked: Set<string>;
  /** The keys of all calls, such as `get a`, since this was asked last. */
  calls(): string[];
}

/** @returns a shared tier in memory: several caches of one test use it, as several processes would. */
export function memorySharedTier<R>(): SharedDouble<R> {
  const records = new Map<string, R>();
  const locked = new Set<string>();
  const called: string[] = [];
  return {
    records,
    locked,
    calls: () => called.splice(0),
    async get(key) {
      called.push(`get ${key}`);
      return records.get(key) ?? null;
    },
    async put(key, record) {
      called.push(`put ${key}`);
      records.set(key, record);
    },
    async remove(keys) {
      for (const key of keys) records.delete(key);
    },
    async lock(key) {
      if (locked.has(key)) return null;
      locked.add(key);
      return async () => void locked.delete(key);
    },
  };
}

export type StaleCacheStage = ReturnType<typeof startStaleCache>;

/**
 * A stale cache on a clock that stands still until the test moves it, over a disk in memory, with the trace of all its events. Every entry
 * is frozen: a change of it throws.
 */
export function startStaleCache(options: Partial<StaleCacheOptions<Value, Entry>> = {}) {
  const clock = { ms: START };
  const now = options.now ?? (() => clock.ms);
  const invalidations = options.invalidations ?? createInvalidationLog(now);
  const events: string[] = [];
  const generations: Generation[] = [];
  const { files, disk } = memoryDisk<Entry>();
  const cache = createStaleCache<Value, Entry>({
    maxBytes: 100_000,
    sizeOf: ({ bytes }) => bytes,
    versionOf: ({ text }) => text,
    ttlMs: TTL_MS,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    negative: { maxBytes: MAX_NEGATIVE_BYTES, ttlMs: NEGATIVE_TTL_MS, servesStale: false },
    disk,
    onEvent: ({ kind, key }) => void events.push(`${kind} ${key}`),
    ...options,
    invalidations,
    now,
  });
  const all = createInvalidation(invalidations, [cache]);
  const revive: Revive<Value, Entry> = async record => record;

  function generate(signal: AbortSignal): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    generations.push({ signal, finish: resolve, fail: reject });
    return promise;
  }

  function entry(text: string, given: Partial<Entry> & { bytes?: number } = {}): Entry {
    const { bytes = 100, ...rest } = given;
    return deepFreeze({
      value: { text, bytes },
      ...{ tags: ['pages:1', 'settings'], about: 'pages:1', generatedAt: clock.ms, invalidated: false },
      ...rest,
    });
  }

  /** The outcome of a generation that went well. */
  function good(text: string, given: Parameters<typeof entry>[1] = {}): EntryOutcome {
    const made = entry(text, given);
    return { kind: 'entry', entry: made, isNegative: false, servedStale: false, record: () => made };
  }

  /** The outcome of a generation that found nothing. */
  function missing(given: Parameters<typeof entry>[1] = {}): EntryOutcome {
    return { ...good('missing', { about: null, ...given }), isNegative: true };
  }

  async function put(key: string, outcome: Outcome): Promise<void> {
    await cache.revalidate(key, async () => outcome);
    events.splice(0);
  }

  return {
    cache,
    clock,
    files,
    invalidations,
    revive,
    entry,
    good,
    missing,
    /** A reader waits for a generation that the test ends. */
    revalidate: (key = 'a', signal?: AbortSignal) => cache.revalidate(key, generate, signal),
    /** The same, but the shared tier is asked first. */
    revalidateShared: (key = 'a', signal?: AbortSignal) => cache.revalidate(key, generate, signal, revive),
    revalidateInBackground: (key = 'a') => cache.revalidateInBackground(key, generate),
    load: (key = 'a') => cache.load(key, revive),
    /** Generates and stores an entry. */
    store: (text: string, given: Parameters<typeof entry>[1] = {}, key = 'a') => put(key, good(text, given)),
    storeMissing: (given: Parameters<typeof entry>[1] = {}, key = 'a') => put(key, missing(given)),
    invalidate: (...tags: string[]) => all.invalidate(tags),
    remove: (...tags: string[]) => all.remove(tags),
    /** The events since this was asked last. */
    trace: () => events.splice(0),
    /** The generations that began since this was asked last. */
    began: () => generations.splice(0),
    shown: (key = 'a') => cache.get(key)?.entry.value.text ?? null,
  };
}

/** @returns the bytes that the store counts for an entry. */
export function weightOf(key: string, { value, tags }: Entry): number {
  return value.bytes + key.length + textBytes(tags) + ENTRY_OVERHEAD_BYTES;
}

/** @returns the text of what came of a generation. */
export function textOf(outcome: Outcome): string | null {
  return outcome.kind === 'moved' ? null : outcome.entry.value.text;
}

/** Resolves when every promise that was settled has told those who wait for it. */
export const ended = () => new Promise(resolve => setImmediate(resolve));

/** Tests with a stale cache of their own, with the options that most of them need. */
export const it = test.extend('stage', async () => startStaleCache());
