import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Logger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { createSharedMetrics } from './shared-metrics.ts';
import { openSharedStore, type SharedStore } from './shared-store.ts';

export interface SharedStateOptions {
  config: Pick<Config, 'sharedStore' | 'sharedPrefix'>;
  /** The backend's address, or the embedded backend's name: sites with other content have other keys. */
  backend: string;
  metrics: Pick<Metrics, 'registry'>;
  log: Logger;
}

/** @returns the connection to the shared store; null without SHARED_URL. */
export function openSharedState({ config, backend, metrics, log }: SharedStateOptions): SharedStore | null {
  const { sharedStore: address, sharedPrefix } = config;
  if (address === null) return null;
  const prefix = sharedPrefix ?? `site:${createHash('sha256').update(backend).digest('hex').slice(0, 12)}:`;
  const store: SharedStore = openSharedStore({
    ...{ address, prefix, log },
    metrics: createSharedMetrics(metrics.registry, () => store.isUp),
  });
  return store;
}
