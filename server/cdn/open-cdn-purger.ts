import { createHttpCall } from '../backend/http-call.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { CdnPurger, type CdnPurgerOptions } from './cdn-purger.ts';
import { purgeTargets } from './purge-calls.ts';

export interface OpenCdnPurgerOptions extends Pick<CdnPurgerOptions, 'below' | 'whenShared' | 'log'> {
  config: Pick<Config, 'cdnPurge' | 'cdnToken' | 'cdnApi'>;
  metrics: Pick<Metrics, 'add' | 'observe'>;
}

/** One connection to each CDN is enough, because each queue sends one call at a time. */
const MAX_CONNECTIONS = 1;

export function openCdnPurger({ config, metrics, ...options }: OpenCdnPurgerOptions): CdnPurger | null {
  if (config.cdnPurge === null) return null;
  const targets = purgeTargets(config.cdnPurge, config.cdnToken, config.cdnApi);
  options.log.info(
    { code: 'cdn-configured', targets: targets.map(({ name }) => name), hasToken: config.cdnToken !== null },
    'cdn: content changes are purged in these CDNs (CDN_PURGE)',
  );
  const purger = new CdnPurger({
    ...options,
    targets,
    call: createHttpCall(MAX_CONNECTIONS),
    count: (target, outcome, times) => metrics.add('site_cdn_purges_total', times, target, outcome),
  });
  metrics.observe({ site_cdn_purges_waiting: () => purger.waiting() });
  return purger;
}
