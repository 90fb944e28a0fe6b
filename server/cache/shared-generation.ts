import { setTimeout as delay } from 'node:timers/promises';
import type { CacheEntry } from './entry-store.ts';
import { asInvalidated, type Generated, type GeneratedEntry, mayBeStale, type Revive } from './generated.ts';
import type { InvalidationLog } from './invalidation-log.ts';
import type { LogPosition } from './log-position.ts';
import type { SharedRecord, SharedTier } from './shared-tier.ts';

/** When a generation began: by the clock in ms, and as a position among the invalidations of this process and in the log that processes share. */
export interface Start {
  at: number;
  mark: number;
  position: LogPosition;
}

export interface SharedGenerationOptions<V, R> {
  tier: SharedTier<R>;
  invalidations: InvalidationLog;
  /** @returns whether an entry is within its TTL. */
  isYoung: (entry: CacheEntry<V>) => boolean;
  isNegative: (value: V) => boolean;
  /** How long a positive and a negative record stay, in ms. */
  lifeMs: number;
  negativeLifeMs: number;
}

/** The way of a value through the shared tier. */
export interface SharedGeneration<V, R> {
  /** Uses the record of another process if it is fresh, else generates the value and shares it. */
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

/** Pauses in ms between reads of the shared tier while another process generates the value. After them this process generates it, too. */
const PAUSES_MS = [0, 10, 20, 40, 80, 150];

export function createSharedGeneration<V, R>(options: SharedGenerationOptions<V, R>): SharedGeneration<V, R> {
  const { tier, invalidations, isYoung, isNegative, lifeMs, negativeLifeMs } = options;

  /**
   * @returns whether the content was invalidated after its record was generated. The shared log alone decides: a replica learns of an invalidation
   *   after another one has loaded the content again, so its own time of the invalidation says nothing of the record.
   */
  const isOutdated = ({ tags }: CacheEntry<V>, { position }: SharedRecord<R>) =>
    invalidations.afterPosition(tags, position);

  async function takeFresh(key: string, revive: Revive<V, R>): Promise<GeneratedEntry<V, R> | null> {
    const found = tier.isCurrent ? await tier.get(key) : null;
    if (found === null) return null;
    const entry = await revive(found.record);
    if (entry === null || entry.invalidated || !isYoung(entry) || isOutdated(entry, found)) return null;
    const { record } = found;
    return {
      kind: 'entry',
      entry,
      isNegative: isNegative(entry.value),
      servedStale: false,
      record: () => record,
    };
  }

  /** Shares a generated value, unless other processes must not get it. One that was invalidated meanwhile is shared as stale, in no other's place. */
  async function share(key: string, generated: Generated<V, R>, start: Start): Promise<void> {
    if (generated.kind !== 'entry' || generated.servedStale || generated.isLocal || !generated.record) return;
    const isOutdated = invalidations.after(generated.entry.tags, start.mark);
    if (isOutdated && !mayBeStale(generated, invalidations, start.mark)) return;
    if (isOutdated && (await tier.get(key)) !== null) return;
    const { entry } = isOutdated ? asInvalidated(generated) : generated;
    const record = { record: generated.record(entry), position: start.position };
    // A made-up address has a record, too, which must not stay for long.
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
        // A process that could not take a record need not wait for one.
        if (!tier.isCurrent) break;
        release = await tier.lock(key);
        if (!release) continue;
        // The other process may have ended its reservation between the look and this one.
        const late = pauseMs > 0 ? await takeFresh(key, revive) : null;
        if (!late) break;
        void release();
        return late;
      }
      let sharing: Promise<void> | undefined;
      try {
        const generated = await generate();
        // Readers do not wait for the store. The others look for the record until the reservation ends.
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
      return {
        entry: { ...entry, invalidated: entry.invalidated || isOutdated(entry, found) },
        record: found.record,
      };
    },
  };
}
