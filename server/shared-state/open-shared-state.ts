import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Logger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { createSharedMetrics } from './shared-metrics.ts';
import { openSharedStore, type SharedStore } from './shared-store.ts';

export interface SharedStateOptions {
  config: Pick<Config, 'sharedStore' | 'sharedPrefix' | 'sharedSecret'>;
  /** The backend's address, or the embedded backend's name: sites with other content have other keys. */
  backend: string;
  metrics: Pick<Metrics, 'registry'>;
  log: Logger;
}

/** @returns the connection to the shared store; null without SHARED_URL. */
export function openSharedState({ config, backend, metrics, log }: SharedStateOptions): SharedStore | null {
  const { sharedStore: address, sharedPrefix, sharedSecret: secret } = config;
  if (address === null) return null;
  if (secret === null)
    log.warn(
      { code: 'shared-without-secret', remedy: 'set SHARED_SECRET to the same value in all replicas' },
      'shared store: who can write to it can put scripts into pages, so assets of other builds are not taken from it',
    );
  const own = sharedPrefix ?? `site:${createHash('sha256').update(backend).digest('hex').slice(0, 12)}:`;
  // Replicas with and without the secret could not read one another's values.
  const prefix = secret === null ? own : `${own}sealed:`;
  const store: SharedStore = openSharedStore({
    ...{ address, prefix, secret, log },
    metrics: createSharedMetrics(metrics.registry, () => store.isUp),
  });
  return store;
}
