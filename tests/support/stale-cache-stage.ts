import { test } from 'vitest';
import type { DiskTier } from '../../server/cache/disk/disk-tier.ts';
import { type CacheEntry, ENTRY_OVERHEAD_BYTES, textBytes } from '../../server/cache/entry-store.ts';
import type { Generated, Revive } from '../../server/cache/generated.ts';
import type { SharedLife, SharedRecord, SharedTier } from '../../server/cache/shared-tier.ts';
import { createStaleCache, type StaleCacheOptions } from '../../server/cache/stale-cache.ts';
import { createInvalidation } from '../../server/cache/tags/invalidation.ts';
import { InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { deepFreeze } from './deep-freeze.ts';

export const TTL_MS = 60_000;
export const STALE_IF_ERROR_MS = 10 * TTL_MS * 60;
export const NEGATIVE_TTL_MS = 10_000;
export const MAX_NEGATIVE_BYTES = 8 * 1024 * 1024;
/** Time of the clock when a stage starts, in ms. */
export const START = 1_000_000_000;

/** The value that the tests store: a text with a declared size. */
export interface Value {
  readonly text: string;
  readonly bytes: number;
}

export type Entry = CacheEntry<Value>;
export type Outcome = Generated<Value, Entry>;
export type EntryOutcome = Extract<Outcome, { kind: 'entry' }>;

/** A generation in flight, which the test ends. */
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
    isAbsent: () => false,
    async *keys() {
      yield* files.keys();
    },
    remove: key => void files.delete(key),
    softDelete: key => void files.delete(key),
    restore: async () => [],
    sweep: async () => {},
    waiting: () => 0,
    settled: async () => {},
  };
  return { files, disk };
}

export interface SharedDouble<R> extends SharedTier<R> {
  isCurrent: boolean;
  readonly records: Map<string, SharedRecord<R>>;
  /** Lifetime of each record. */
  readonly lives: Map<string, SharedLife>;
  readonly locked: Set<string>;
  /** @returns the calls since the last `calls()`, such as `get a`. */
  calls(): string[];
}

/** @returns a shared tier in memory. Several caches of one test use it like several processes. */
export function memorySharedTier<R>(): SharedDouble<R> {
  const records = new Map<string, SharedRecord<R>>();
  const lives = new Map<string, SharedLife>();
  const locked = new Set<string>();
  const called: string[] = [];
  return {
    records,
    lives,
    locked,
    isCurrent: true,
    calls: () => called.splice(0),
    async get(key) {
      called.push(`get ${key}`);
      return records.get(key) ?? null;
    },
    async put(key, record, life) {
      called.push(`put ${key}`);
      records.set(key, record);
      lives.set(key, life);
    },
    async extend(keys, lifeMs) {
      for (const key of keys) lives.set(key, { lifeMs });
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
 * Creates a stale cache with a clock that the test advances and a disk tier in memory. All its events are
 * recorded. Every entry is frozen, so changing it throws.
 */
export function startStaleCache(options: Partial<StaleCacheOptions<Value, Entry>> = {}) {
  const clock = { ms: START };
  const now = options.now ?? (() => clock.ms);
  const invalidations = options.invalidations ?? new InvalidationLog(now);
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

  /** @returns the outcome of a successful generation. */
  function good(text: string, given: Parameters<typeof entry>[1] = {}): EntryOutcome {
    const generated = entry(text, given);
    return {
      kind: 'entry',
      entry: generated,
      isNegative: false,
      servedStale: false,
      record: given => given,
    };
  }

  /** @returns the outcome of a generation without a value: a negative entry. */
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
    /** Revalidates a key for a reader. The test ends the generation. */
    revalidate: (key = 'a', signal?: AbortSignal) => cache.revalidate(key, generate, signal),
    /** Revalidates a key for a reader, and tries the shared tier before a generation. */
    revalidateShared: (key = 'a', signal?: AbortSignal) => cache.revalidate(key, generate, signal, revive),
    revalidateInBackground: (key = 'a') => void cache.revalidateInBackground(key, generate),
    revalidateSharedInBackground: (key = 'a') => void cache.revalidateInBackground(key, generate, revive),
    load: (key = 'a') => cache.load(key, revive),
    /** Generates and stores an entry. */
    store: (text: string, given: Parameters<typeof entry>[1] = {}, key = 'a') => put(key, good(text, given)),
    storeMissing: (given: Parameters<typeof entry>[1] = {}, key = 'a') => put(key, missing(given)),
    invalidate: (...tags: string[]) => all.invalidate(tags),
    remove: (...tags: string[]) => all.remove(tags),
    expireAll: () => all.expireAll(),
    /** @returns the events since the last `trace()`. */
    trace: () => events.splice(0),
    /** @returns the generations that began since the last `began()`. */
    began: () => generations.splice(0),
    shown: (key = 'a') => cache.get(key)?.entry.value.text ?? null,
  };
}

/** @returns the bytes that the store counts for an entry. */
export function weightOf(key: string, { value, tags }: Entry): number {
  return value.bytes + key.length + textBytes(tags) + ENTRY_OVERHEAD_BYTES;
}

/** @returns the text of a generated entry, or null. */
export function textOf(outcome: Outcome): string | null {
  return outcome.kind === 'moved' ? null : outcome.entry.value.text;
}

/** Resolves when all callbacks of settled promises have run. */
export const ended = () => new Promise(resolve => setImmediate(resolve));

/** Gives each test a stale cache with the default options. */
export const it = test.extend('stage', async () => startStaleCache());
