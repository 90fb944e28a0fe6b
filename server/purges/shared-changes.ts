import type { Invalidation } from '../cache/invalidation.ts';
import type { ContentSource } from '../content/collecting-reader.ts';
import { type ContentChanges, createContentChanges } from '../content/content-changes.ts';
import type { LossGuard } from '../content/losses/loss-guard.ts';
import {
  type ContentSweepOptions,
  createContentSweep,
  type SettledContentSweep,
} from '../content/sweep/content-sweep.ts';
import type { PurgeSharing } from './purge-sharing.ts';

export interface SharedChangesOptions
  extends Omit<
    ContentSweepOptions,
    'content' | 'invalidation' | 'apply' | 'mayRun' | 'hearsOthers' | 'onSwept'
  > {
  content: ContentSource;
  invalidation: Invalidation;
  losses: Pick<LossGuard, 'explain'>;
  purges: PurgeSharing;
}

/** @returns the application of the backend's events, and the sweep for lost ones, of which one replica tells the others. */
export function createSharedChanges({ losses, purges, ...options }: SharedChangesOptions): {
  contentChanges: ContentChanges;
  contentSweep: SettledContentSweep;
} {
  const { content, invalidation, log } = options;
  const contentChanges = createContentChanges({
    ...{ content, invalidation, log, invalidationsShared: purges.settled, monthOf: content.api.monthOf },
    onRemoval(type, id) {
      losses.explain(type, id);
      purges.share({ kind: 'removal', type, id });
    },
  });
  const contentSweep = createContentSweep({
    ...options,
    apply: contentChanges.apply,
    mayRun: () => purges.mayRun,
    hearsOthers: () => purges.isUp,
    onSwept(type, state) {
      if (purges.isLeading) purges.share({ kind: 'swept', type, state });
    },
  });
  return { contentChanges, contentSweep };
}
