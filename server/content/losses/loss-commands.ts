import type { Invalidation } from '../../cache/invalidation.ts';
import type { Logger } from '../../ops/log.ts';
import type { ContentCache } from '../content-cache.ts';
import type { LossGuard } from './loss-guard.ts';

/** The commands of operators for a type that was emptied. */
export interface LossCommands {
  /** Believes the loss of a type at once, and loads its content again. @returns false for a type that has lost nothing. */
  accept(path: string): Promise<boolean>;
  /**
   * Brings back the content of a type that was removed within a day. It counts as the last content of a type that was emptied: the backend
   * is asked, and its entries are shown where it has them. Each process has its own removed content.
   *
   * @returns how many pieces of content this process has brought back. With 0 nothing is changed here, and the loss stays believed.
   */
  restore(path: string): Promise<number>;
  /** Brings back what this process has of a type that is restored by another one. */
  restoreHere(path: string): Promise<number>;
}

export interface LossCommandsOptions {
  guard: Pick<LossGuard, 'take' | 'untake'>;
  cache: Pick<ContentCache, 'restore'>;
  invalidation: Pick<Invalidation, 'invalidate'>;
  /** Loads the content again whose last load failed. */
  retryFailed: (signal: AbortSignal) => Promise<void>;
  /** Called when the loss of a type is believed. */
  onTaken?: (path: string) => void;
  /** Called before removed content of a type is brought back. */
  onRestore?: (path: string) => void;
  log: Logger;
}

/** How long the backend may take to answer, in ms. */
const TIMEOUT_MS = 10_000;

/** @returns the commands. */
export function createLossCommands({
  guard,
  cache,
  invalidation,
  retryFailed,
  onTaken = () => {},
  onRestore = () => {},
  log,
}: LossCommandsOptions): LossCommands {
  async function loadAgain(path: string): Promise<void> {
    invalidation.invalidate([path]);
    await retryFailed(AbortSignal.timeout(TIMEOUT_MS));
  }

  return {
    async accept(path) {
      if (!guard.take(path, 'operator')) return false;
      onTaken(path);
      await loadAgain(path);
      return true;
    },
    restoreHere,
    async restore(path) {
      onRestore(path);
      const restored = await restoreHere(path);
      if (restored > 0) await loadAgain(path);
      return restored;
    },
  };

  async function restoreHere(path: string): Promise<number> {
    const believeAgain = guard.untake(path);
    const restored = await cache.restore(
      key => key === path || (/^[/?]/.test(key.slice(path.length)) && key.startsWith(path)),
    );
    if (restored === 0) {
      believeAgain();
      return 0;
    }
    log.warn({ type: path, restored }, 'content type: removed content is brought back');
    return restored;
  }
}
