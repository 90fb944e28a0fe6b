import os from 'node:os';
import path from 'node:path';
import { createHttpCall } from '../backend/http-call.ts';
import { createInvalidation, type Invalidatable } from '../cache/tags/invalidation.ts';
import { within } from '../cache/within.ts';
import { CdnPurger, type CdnPurgerOptions } from '../cdn/cdn-purger.ts';
import { purgeTargets } from '../cdn/purge-calls.ts';
import { ContentChanges } from '../content/changes/content-changes.ts';
import { ContentSweep } from '../content/changes/content-sweep.ts';
import { SweepMemory } from '../content/changes/sweep-memory.ts';
import { partNames } from '../content/tags/content-tags.ts';
import { type ApplyChange, applyChange, type ChangeParts } from '../events/apply-change.ts';
import { WebhookOutcomes } from '../events/webhook-outcomes.ts';
import type { LinkCheck } from '../links/link-check.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import type { PurgeEffects } from '../replicas/purge-sharing.ts';
import type { LinksFrom } from './links.ts';
import type { SiteOptions } from './options.ts';

/** How long the response to a webhook waits for the disk, in ms. */
const SAVED_WITHIN_MS = 500;
/** One connection to each CDN is enough, because each queue sends one call at a time. */
const CDN_CONNECTIONS = 1;

export type Changes = ReturnType<typeof openChanges>;

export interface ChangesFrom extends LinksFrom {
  readonly links: LinkCheck;
}

export function openChanges(options: SiteOptions, from: ChangesFrom) {
  const { config, log } = options;
  const { storage, backend: parts, pages, metrics } = from;
  const { content, losses, retryFailed, mayAsk } = from.content;
  const { purges, replicas, invalidationLog, backendFolder, disk } = storage;
  const { cdnPurger, invalidation } = openInvalidation(options, from);
  parts.onChangedFiles(invalidation.invalidate);
  const webhookOutcomes = new WebhookOutcomes(log, metrics);
  const contentChanges = new ContentChanges({
    content,
    invalidation,
    log,
    invalidationsShared: () => purges.settled(),
  });
  const sweepMemory = new SweepMemory({
    file: path.join(backendFolder.dir, 'sweep.json'),
    invalidationsSaved: () => invalidationLog.settled(),
    ...disk,
  });
  const changeParts: ChangeParts = {
    ...parts,
    content,
    contentChanges,
    sweepMemory,
    losses,
    invalidation,
    webhookOutcomes,
    refresh: pages.refresher.refresh,
    retryFailed,
    share: event => purges.share(event),
    leads: () => purges.isLeading,
    replica: config.replicaId ?? os.hostname(),
    log,
  };
  const apply: ApplyChange = (change, door) => applyChange(changeParts, change, door);
  const contentSweep = new ContentSweep({
    content,
    invalidation,
    memory: sweepMemory,
    apply(type, rows, isMissed) {
      metrics.count('site_sweep_repairs_total', type);
      return apply({ kind: 'rows', type, rows, isMissed }, 'sweep');
    },
    onComplete: () => metrics.stamp('site_last_sweep_timestamp_seconds'),
    onSwept: (type, state) => void apply({ kind: 'swept', type, state }, 'sweep'),
    // Turn the sweep off for the embedded backend, which watches its files.
    everyMs: parts.isEmbedded ? 0 : config.contentSweepMs,
    mayRun: () => mayAsk() && purges.mayRun,
    receivesFromOthers: () => purges.isUp,
    log,
  });
  const followed: PurgeEffects = {
    carryOut: (event, position) => apply({ kind: 'shared', event, position }, 'replica'),
    makeAllStale: () => invalidation.carryOut({ kind: 'expire-all' }),
    remove: (tags, position) => invalidation.carryOut({ kind: 'remove', tags }, position),
    sweepNow: () => contentSweep.sweepNow(),
    // Tell other replicas how far this one has read, because they purge CDNs only after every replica.
    afterRead: () => config.cdnPurge && replicas?.tell(),
  };
  return {
    cdnPurger,
    invalidation,
    webhookOutcomes,
    applyChange: apply,
    contentChanges,
    contentSweep,
    // A disk that hangs must not delay the response to the CMS.
    async invalidationsSaved() {
      await within(SAVED_WITHIN_MS, invalidationLog.settled());
    },
    /** Applies changes of other replicas. Content on disk may be outdated until this resolves. */
    followPurges: () => purges.begin(followed),
  };
}

function openInvalidation(
  { config, log }: SiteOptions,
  {
    storage: { purges, replicas, invalidationLog },
    content: { content },
    pages,
    links,
    metrics,
  }: ChangesFrom,
) {
  const layers: readonly [Invalidatable, ...Invalidatable[]] = [
    content.cache,
    pages.pages,
    pages.pageCards,
    pages.searchPages,
    pages.search.layer,
    links,
  ];
  const cdnPurger = openCdnPurger(config, metrics, {
    log,
    below: name => [...partNames(name), ...layers.flatMap(layer => layer.namesBelow?.(name) ?? [])],
    async whenShared() {
      await purges.settled();
      if (purges.isUp) await replicas?.haveRead(invalidationLog.position());
    },
  });
  const invalidation = createInvalidation(
    invalidationLog,
    layers,
    operation => purges.share({ kind: 'operation', operation }),
    (names, removed) => cdnPurger?.purge(names, removed),
  );
  return { cdnPurger, invalidation };
}

function openCdnPurger(
  { cdnPurge, cdnToken, cdnApi }: SiteOptions['config'],
  metrics: Metrics,
  options: Pick<CdnPurgerOptions, 'below' | 'whenShared' | 'log'>,
): CdnPurger | null {
  if (cdnPurge === null) return null;
  const targets = purgeTargets(cdnPurge, cdnToken, cdnApi);
  options.log.info(
    { code: 'cdn-configured', targets: targets.map(({ name }) => name), hasToken: cdnToken !== null },
    'cdn: content changes are purged in these CDNs (CDN_PURGE)',
  );
  const purger = new CdnPurger({
    ...options,
    targets,
    call: createHttpCall(CDN_CONNECTIONS),
    count: (target, outcome, times) => metrics.add('site_cdn_purges_total', times, target, outcome),
  });
  // Begin each series at 0, so that Prometheus sees the first failure as an increase.
  for (const { name } of targets)
    for (const outcome of ['purged', 'again', 'failed'] as const)
      metrics.add('site_cdn_purges_total', 0, name, outcome);
  metrics.observe({ site_cdn_purges_waiting: () => purger.waiting() });
  return purger;
}
