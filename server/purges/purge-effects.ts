import type { LossGuard } from '../content/losses/loss-guard.ts';
import { forgetFiles } from '../media/forget-files.ts';
import type { Site } from '../site.ts';
import type { PurgeEffects } from './purge-sharing.ts';

export interface EffectParts {
  site: Pick<
    Site,
    | 'invalidation'
    | 'contentSweep'
    | 'media'
    | 'images'
    | 'backendBreaker'
    | 'mediaOrigins'
    | 'content'
    | 'lossCommands'
    | 'webhookOutcomes'
    | 'log'
  >;
  losses: Pick<LossGuard, 'explain' | 'takeAsOthers'>;
  /** Makes the pages that are stale and read most, in this process alone. */
  refresh: () => void;
}

/** @returns what this process does because of other replicas: what their own events do, without a call of the backend. */
export function purgeEffects({ site, losses, refresh }: EffectParts): PurgeEffects {
  const { invalidation, contentSweep } = site;
  return {
    async carryOut(event, position) {
      switch (event.kind) {
        case 'operation':
          return invalidation.carryOut(event.operation, position);
        case 'backend-called':
          site.backendBreaker.reset();
          site.mediaOrigins.reset();
          if (event.event) site.webhookOutcomes.acceptedElsewhere(event.event);
          return site.content.api.forgetMissingFields();
        case 'ops-purge':
          site.log.info({ tag: event.tag, by: event.by }, 'cache invalidated by ops of another replica');
          return;
        case 'removal':
          return losses.explain(event.type, event.id);
        case 'loss-taken':
          losses.takeAsOthers(event.type);
          return;
        case 'loss-restored':
          await site.lossCommands.restoreHere(event.type);
          return;
        case 'files':
          return forgetFiles(site, event.paths, event.areDeleted);
        case 'heard':
          return contentSweep.heard(event.type, event.row, event.isRemoval);
        case 'swept':
          return contentSweep.swept(event.type, event.state);
        case 'refresh':
          return refresh();
      }
    },
    makeAllStale: invalidation.expireAllHere,
    remove: invalidation.removeHere,
    sweepNow: contentSweep.sweepNow,
  };
}
