import { hash } from 'node:crypto';
import path from 'node:path';
import { openBackendFolder } from '../cache/disk/backend-folder.ts';
import { FolderHealth } from '../cache/disk/disk-health.ts';
import { type DiskTier, type DiskTierOptions, FolderTier } from '../cache/disk/disk-tier.ts';
import { FolderSizes } from '../cache/disk/folder-sizes.ts';
import { EVERYTHING } from '../cache/tags/invalidation-log.ts';
import { SavedInvalidationLog } from '../cache/tags/saved-invalidations.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { createSpareTime } from '../ops/spare-time.ts';
import { openPurgeSharing } from '../replicas/purge-sharing.ts';
import { Replicas } from '../shared-store/replicas.ts';
import { SharedStore, type StoreOutcome } from '../shared-store/shared-store.ts';
import { tracedStore } from '../tracing/traced-parts.ts';
import type { SiteOptions } from './options.ts';

export type Storage = ReturnType<typeof openStorage>;

export function openStorage(options: SiteOptions, metrics: Metrics) {
  const { config, log, contentBaseUrl, backendName = contentBaseUrl, overrides = {} } = options;
  const shared = openSharedState(options, backendName, metrics);
  const diskHealth = new FolderHealth({ dataDir: config.dataDir, log });
  const disk = { health: diskHealth, log };
  const backendFolder = openBackendFolder({
    dataDir: config.dataDir,
    backend: backendName,
    credentials: [config.contentToken, config.contentHeaders],
    lifeMs: config.contentTtlMs + config.staleIfErrorMs,
    ...disk,
  });
  const invalidationLog = new SavedInvalidationLog({
    file: path.join(backendFolder.dir, 'invalidations.json'),
    ...disk,
  });
  // New credentials may give access to other content, so everything on disk becomes stale.
  if (backendFolder.hasNewCredentials) invalidationLog.note([EVERYTHING], false);
  const spareTime = createSpareTime();
  return {
    shared,
    replicas: shared && new Replicas(shared),
    diskHealth,
    disk,
    backendFolder,
    invalidationLog,
    purges: openPurgeSharing({ config, shared, invalidations: invalidationLog, metrics, log }),
    spareTime,
    folderSizes: new FolderSizes(config.dataDir, spareTime),
    lifetimes: {
      ttlMs: config.contentTtlMs,
      staleIfErrorMs: config.staleIfErrorMs,
      invalidatedWaitMs: overrides.invalidatedWaitMs,
      invalidations: invalidationLog,
    },
    diskTier<R>(name: string, tier: Omit<DiskTierOptions<R>, 'dir' | 'maxBytes' | 'log'>): DiskTier<R> {
      return new FolderTier<R>({
        dir: path.join(backendFolder.dir, name),
        maxBytes: config.diskCacheBytes,
        spareTime,
        ...disk,
        ...tier,
      });
    },
  };
}

/** @param backend an address or name, for the default prefix of keys. @returns null without SHARED_URL. */
function openSharedState(
  { config, log, tracing }: SiteOptions,
  backend: string,
  metrics: Metrics,
): SharedStore | null {
  const { sharedStore: address, sharedPrefix, sharedSecret: secret } = config;
  if (address === null) return null;
  if (secret === null)
    log.warn(
      { code: 'shared-without-secret', remedy: 'set SHARED_SECRET to the same value in all replicas' },
      'shared store: without SHARED_SECRET, assets of other builds in the store are not used',
    );
  const own = sharedPrefix ?? `site:${hash('sha256', backend).slice(0, 12)}:`;
  // Replicas with a secret cannot read values of replicas without one, so their keys differ.
  const prefix = secret === null ? own : `${own}sealed:`;
  const called = (op: string, outcome: StoreOutcome, ms: number) => {
    metrics.count('site_shared_calls_total', op, outcome);
    if (outcome === 'answered') metrics.note('site_shared_duration_seconds', ms, op);
  };
  const onCall = tracing ? tracedStore(called, tracing) : called;
  const onFormer = () => metrics.count('site_secret_uses_total', 'SHARED_SECRET_OLD', 'used');
  const store = new SharedStore({ address, prefix, secret, log, onCall, onFormer });
  metrics.observe({ site_shared_up: () => Number(store.isUp) });
  return store;
}
