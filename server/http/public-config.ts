import type { PageData } from '../../shared/payload/page-data.ts';
import type { Config } from '../config/config.ts';

export function publicConfig(
  { buildPollIntervalMs, deviceRefreshOnResize, rum }: Config,
  consent: PageData['config']['consent'] | null,
  preview: PageData['config']['preview'] | null = null,
): PageData['config'] {
  return {
    ...(consent ? { consent } : {}),
    ...(preview ? { preview } : {}),
    buildPollIntervalMs,
    ...(deviceRefreshOnResize ? { deviceRefreshOnResize: true } : {}),
    ...(rum ? {} : { vitals: false }),
  };
}
