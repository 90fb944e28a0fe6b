import { setTimeout as delay } from 'node:timers/promises';
import type { CacheEntry } from './entry-store.ts';
import { asInvalidated, type Generated, type GeneratedEntry, mayBeStale, type Revive } from './generated.ts';
import type { SharedRecord, SharedTier } from './shared-tier.ts';
import type { InvalidationLog } from './tags/invalidation-log.ts';
import type { LogPosition } from './tags/log-position.ts';

/** When a generation began: in ms, in the invalidations of this process, and in the shared log. */
export interface Start {
  at: number;
  mark: number;
  position: LogPosition;
}

export interface SharedGenerationOptions<V, R> {
  tier: SharedTier<R>;
  invalidations: InvalidationLog;
  isYoung: (entry: CacheEntry<V>) => boolean;
  asExpired: (entry: CacheEntry<V>) => CacheEntry<V>;
  isNegative: (value: V) => boolean;
  /** How long a record stays, in ms. */
  lifeMs: number;
  negativeLifeMs: number;
}

export interface SharedGeneration<V, R> {
  /** Uses a fresh record of another process, else generates the value and shares it. */
  once<T extends Generated<V, R>>(
    key: string,
    generate: () => Promise<T>,
    revive: Revive<V, R>,
    start: Start,
    signal: AbortSignal,
  ): Promise<T | GeneratedEntry<V, R>>;
  /** @returns the positive entry of a record, stale too, unless its content was removed. */
  load(key: string, revive: Revive<V, R>): Promise<{ entry: CacheEntry<V>; record: R } | null>;
}

/** Pauses between reads of the shared tier while another process generates, in ms. */
const PAUSES_MS = [0, 10, 20, 40, 80, 150];

export function createSharedGeneration<V, R>(options: SharedGenerationOptions<V, R>): SharedGeneration<V, R> {
  const { tier, invalidations, isYoung, asExpired, isNegative, lifeMs, negativeLifeMs } = options;

  /**
   * Compares positions alone: another replica may have learned of an invalidation, and loaded, before this
   * one.
   */
  const isOutdated = ({ tags }: CacheEntry<V>, { position }: SharedRecord<R>) =>
    invalidations.afterPosition(tags, position);
  /** Whether a change that this process has missed may have come after the record. */
  const isDoubted = ({ position }: SharedRecord<R>) => !tier.isCurrent || invalidations.isDoubted(position);

  async function takeFresh(key: string, revive: Revive<V, R>): Promise<GeneratedEntry<V, R> | null> {
    const found = tier.isCurrent ? await tier.get(key) : null;
    if (found === null) return null;
    const entry = await revive(found.record);
    if (entry === null || entry.invalidated || !isYoung(entry)) return null;
    if (isDoubted(found) || isOutdated(entry, found)) return null;
    const { record } = found;
    return {
      kind: 'entry',
      entry,
      isNegative: isNegative(entry.value),
      servedStale: false,
      record: () => record,
    };
  }

  /** Shares a generated value. One that was invalidated meanwhile is shared as stale, and replaces none. */
  async function share(key: string, generated: Generated<V, R>, start: Start): Promise<void> {
    if (generated.kind !== 'entry' || generated.servedStale || generated.isLocal || !generated.record) return;
    const isOutdated = invalidations.after(generated.entry.tags, start.mark);
    if (isOutdated && !mayBeStale(generated, invalidations, start.mark)) return;
    if (isOutdated && (await tier.get(key)) !== null) return;
    const { entry } = isOutdated ? asInvalidated(generated) : generated;
    const record = { record: generated.record(entry), position: start.position };
    // Records of made-up addresses must not stay for long.
    const life = generated.isNegative ? { lifeMs: negativeLifeMs, keepsLife: true } : { lifeMs };
    await tier.put(key, record, life);
  }

  return {
    async once(key, generate, revive, start, signal) {
      let release: (() => Promise<void>) | null = null;
      for (const pauseMs of PAUSES_MS) {
        if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
        const taken = await takeFresh(key, revive);
        if (taken) return taken;
        // A process that cannot use records need not wait for one.
        if (!tier.isCurrent) break;
        release = await tier.lock(key);
        if (!release) continue;
        // The other process may have finished since the last look.
        const late = pauseMs > 0 ? await takeFresh(key, revive) : null;
        if (!late) break;
        void release();
        return late;
      }
      let sharing: Promise<void> | undefined;
      try {
        const generated = await generate();
        // Readers do not wait for the store.
        sharing = share(key, generated, start);
        return generated;
      } finally {
        void Promise.resolve(sharing).then(release);
      }
    },

    async load(key, revive) {
      const found = await tier.get(key);
      const entry = found && (await revive(found.record));
      if (!found || !entry || isNegative(entry.value)) return null;
      const { about } = entry;
      if (about !== null && invalidations.removedAfterPosition([about], found.position)) return null;
      const known = isDoubted(found) ? asExpired(entry) : entry;
      return {
        entry: { ...known, invalidated: entry.invalidated || isOutdated(entry, found) },
        record: found.record,
      };
    },
  };
}
