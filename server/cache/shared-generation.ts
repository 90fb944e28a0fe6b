import { setTimeout as delay } from 'node:timers/promises';
import type { CacheEntry } from './entry-store.ts';
import { asInvalidated, type Generated, type GeneratedEntry, mayBeStale, type Revive } from './generated.ts';
import type { SharedRecord, SharedTier } from './shared-tier.ts';
import type { InvalidationLog } from './tags/invalidation-log.ts';
import type { LogPosition } from './tags/log-position.ts';

export interface Start {
  at: number;
  mark: number;
  position: LogPosition;
}

interface SharedGenerationOptions<V, R> {
  tier: SharedTier<R>;
  invalidations: InvalidationLog;
  isYoung: (entry: CacheEntry<V>) => boolean;
  asExpired: (entry: CacheEntry<V>) => CacheEntry<V>;
  isNegative: (value: V) => boolean;
  lifeMs: number;
  negativeLifeMs: number;
}

/** The pauses between reads of the shared tier while another process generates, in ms. */
const PAUSES_MS = [0, 10, 20, 40, 80, 150];

export function createSharedGeneration<V, R>(options: SharedGenerationOptions<V, R>) {
  const { tier, invalidations, isYoung, asExpired, isNegative, lifeMs, negativeLifeMs } = options;

  /** Compares shared log positions only, because each replica applies an invalidation at a different time. */
  const isOutdated = ({ tags }: CacheEntry<V>, { position }: SharedRecord<R>) =>
    invalidations.afterPosition(tags, position);
  /** Whether this process may have missed a change that came after the record. */
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

  /** Shares a generated value. A value invalidated meanwhile is shared as stale, but replaces no record. */
  async function share(key: string, generated: Generated<V, R>, start: Start): Promise<void> {
    if (generated.kind !== 'entry' || generated.servedStale || generated.isLocal || !generated.record) return;
    const isOutdated = invalidations.after(generated.entry.tags, start.mark);
    if (isOutdated && !mayBeStale(generated, invalidations, start.mark)) return;
    if (isOutdated && (await tier.get(key)) !== null) return;
    const { entry } = isOutdated ? asInvalidated(generated) : generated;
    const record = { record: generated.record(entry), position: start.position };
    // Give negative records a short life, because most of them are for made-up addresses.
    const life = generated.isNegative ? { lifeMs: negativeLifeMs, keepsLife: true } : { lifeMs };
    await tier.put(key, record, life);
  }

  return {
    /** Uses a fresh record of another process, or generates the value and shares it. */
    async once<T extends Generated<V, R>>(
      key: string,
      generate: () => Promise<T>,
      revive: Revive<V, R>,
      start: Start,
      signal: AbortSignal,
    ): Promise<T | GeneratedEntry<V, R>> {
      let release: (() => Promise<void>) | null = null;
      for (const pauseMs of PAUSES_MS) {
        if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
        const taken = await takeFresh(key, revive);
        if (taken) return taken;
        // Stop waiting if this process cannot use the record anyway.
        if (!tier.isCurrent) break;
        release = await tier.lock(key);
        if (!release) continue;
        // Read again, because the other process may have finished since the last read.
        const late = pauseMs > 0 ? await takeFresh(key, revive) : null;
        if (!late) break;
        void release();
        return late;
      }
      let sharing: Promise<void> | undefined;
      try {
        const generated = await generate();
        // Share in the background, so that readers do not wait for the store.
        sharing = share(key, generated, start);
        return generated;
      } finally {
        void Promise.resolve(sharing).then(release);
      }
    },

    /** @returns the positive entry of a record, even a stale one. Null if its content was removed. */
    async load(key: string, revive: Revive<V, R>) {
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
