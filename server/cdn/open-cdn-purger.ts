import { Counter, Gauge } from 'prom-client';
import { createHttpCall } from '../backend/http-call.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../ops/metrics.ts';
import { CdnPurger, type CdnPurgerOptions } from './cdn-purger.ts';
import { purgeTargets } from './purge-calls.ts';

export interface OpenCdnPurgerOptions extends Pick<CdnPurgerOptions, 'below' | 'whenShared' | 'log'> {
  config: Pick<Config, 'cdnPurge' | 'cdnToken' | 'cdnApi'>;
  metrics: Pick<Metrics, 'registry'>;
}

/** One connection to each CDN is enough, because each queue sends one call at a time. */
const MAX_CONNECTIONS = 1;

export function openCdnPurger({ config, metrics, ...options }: OpenCdnPurgerOptions): CdnPurger | null {
  if (config.cdnPurge === null) return null;
  const registers = [metrics.registry];
  const counter = new Counter({
    name: 'site_cdn_purges_total',
    help: 'Words purged in caches in front (purged), sent once more 5 s later (again), and calls that have failed (failed)',
    labelNames: ['target', 'outcome'],
    registers,
  });
  const targets = purgeTargets(config.cdnPurge, config.cdnToken, config.cdnApi);
  options.log.info(
    { code: 'cdn-configured', targets: targets.map(({ name }) => name), hasToken: config.cdnToken !== null },
    'cdn: content changes are purged in these CDNs (CDN_PURGE)',
  );
  const purger = new CdnPurger({
    ...options,
    targets,
    call: createHttpCall(MAX_CONNECTIONS),
    count: (target, outcome, times) => counter.inc({ target, outcome }, times),
  });
  new Gauge({
    name: 'site_cdn_purges_waiting',
    help: 'Words that wait to be purged in a cache in front: more than a few for longer than a second says that the cache cannot be purged',
    labelNames: ['target'],
    registers,
    collect() {
      for (const [target, waiting] of purger.waiting()) this.set({ target }, waiting);
    },
  });
  return purger;
}
