import { Gauge } from 'prom-client';
import type { Config } from '../config.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { SharedStore } from '../shared-state/shared-store.ts';
import {
  createPurgeSharing,
  NOT_SHARED,
  type PurgeSharing,
  type PurgeSharingOptions,
} from './purge-sharing.ts';

export interface OpenPurgeSharingOptions
  extends Pick<PurgeSharingOptions, 'invalidations' | 'onRead' | 'log'> {
  config: Pick<Config, 'contentTtlMs' | 'staleIfErrorMs'>;
  shared: SharedStore | null;
  metrics: Pick<Metrics, 'registry'>;
}

/** @returns the sharing of purges over connections of its own, which no other command holds up; none without a shared store. */
export function openPurgeSharing({
  config,
  shared,
  metrics,
  ...options
}: OpenPurgeSharingOptions): PurgeSharing {
  if (shared === null) return NOT_SHARED;
  const purges = createPurgeSharing({
    ...options,
    read: shared.openReader().command,
    write: shared.openReader().command,
    key: shared.key,
    seal: shared,
    keptMs: config.contentTtlMs + config.staleIfErrorMs,
  });
  new Gauge({
    name: 'site_purge_lag_seconds',
    help: 'How long ago the log of invalidations that replicas share was known to be read to its end: at most 2 while it works',
    registers: [metrics.registry],
    collect() {
      this.set(purges.lagMs / 1_000);
    },
  });
  return purges;
}
